import { Html } from './html.js';

/** The page's one style sheet, for light and dark. */
export const style = new Html(`
:root {
  color-scheme: light dark;
  --line: light-dark(#d0d7de, #3d444d);
  --soft: light-dark(#f6f8fa, #161b22);
  --quiet: light-dark(#59636e, #9198a1);
  --passed: light-dark(#1a7f37, #3fb950);
  --missed: light-dark(#cf222e, #ff7b72);
  --pending: light-dark(#9a6700, #d29922);
  --go: light-dark(#0969da, #79c0ff);
}
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: .95rem; margin: 0 0 .5rem; }
p { margin: .3rem 0; }
a { color: var(--go); }
code, pre { font: 12.5px/1.45 ui-monospace, monospace; }
pre { margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th[scope=row] { font-weight: 500; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.quiet { color: var(--quiet); }
:is(strong, span, li, p).passed { color: var(--passed); }
:is(strong, span, li, p).missed { color: var(--missed); }
:is(strong, span, li, p):is(.pending, .skipped) { color: var(--pending); }
.cells { display: flex; flex-wrap: wrap; gap: 3px; list-style: none; margin: 0; padding: 0; }
.cells a { display: block; width: 1.25rem; height: 1.25rem; border-radius: 3px; text-decoration: none;
  text-align: center; font: bold 12px/1.25rem system-ui, sans-serif; color: light-dark(#fff, #0d1117); }
.cells .passed a { background: var(--passed); } .cells .missed a { background: var(--missed); }
.cells .pending a, .cells .skipped a { background: var(--pending); }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
details.scenario { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; }
details.scenario > summary { padding: .5rem .8rem; cursor: pointer; }
details.scenario[open] > summary { border-bottom: 1px solid var(--line); background: var(--soft); }
.inside { padding: .8rem; }
.mark { display: inline-block; min-width: 4.5rem; font-weight: 600; }
.paths { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-top: .8rem; }
.path { border: 1px solid var(--line); border-radius: 6px; padding: .7rem; min-width: 0; }
.verdict { font-weight: 600; margin-bottom: .6rem; }
ol.timeline { list-style: none; margin: 0; padding: 0 0 0 .7rem; border-left: 2px solid var(--line); }
ol.timeline li { margin: .15rem 0; overflow-wrap: anywhere; }
ol.timeline li.phase { margin: .7rem 0 .2rem -.7rem; font-weight: 600; font-size: .85rem; }
ol.timeline details > summary { cursor: pointer; }
ul.checks { margin: .6rem 0; padding: 0; list-style: none; }
ul.checks li.missed { font-weight: 600; }
.decides > details > summary, .decides { font-weight: 600; }
.decides pre, .decides p { font-weight: 400; }
.filter { margin: 1rem 0; }
body:has(#only-missed:checked) details.scenario:not(.missed) { display: none; }
@media (max-width: 60rem) { .paths { grid-template-columns: 1fr; } }
@media print { details.scenario { break-inside: avoid; } }
`);
