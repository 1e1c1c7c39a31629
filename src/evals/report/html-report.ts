import { checkNames } from '../checks.js';
import { memberOf } from '../holds.js';
import type { Phase, TimelineEntry } from '../path-run.js';
import type { Result } from '../run-evals.js';
import { isPending } from '../scenario.js';
import { byEval, tallyOf } from '../tally.js';
import { html, type Html } from './html.js';
import { style } from './html-style.js';

/**
 * One page that needs nothing beside it, not even a script: every eval with its scenarios, each opening to what happened
 * on both paths.
 *
 * @param subject what was tested, such as a URL or the name of a weakened gate
 */
export function htmlReport(results: readonly Result[], subject = 'the gate'): string {
  const { passed, missed, pending, skipped } = tallyOf(results);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Continuity evals of ${subject}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <header>
          <h1>Continuity evals of ${subject}</h1>
          <p>
            <strong class="passed">${passed} passed</strong>,
            <strong class="missed">${missed} missed</strong>,
            <strong class="pending">${pending} pending</strong>,
            <strong class="skipped">${skipped} skipped</strong>
            <span class="quiet"
              >of ${results.length} scenarios, on ${new Date().toISOString().slice(0, 16)}Z</span
            >
          </p>
          <p class="quiet">
            Every scenario ran twice: over a compacted history, where the gate decides, and with the full
            history, where an oracle decides that has lost nothing. The gate has to be as strict or stricter,
            and to answer as the contract says.
          </p>
        </header>
        <main>
          <h2>Evals and scenarios</h2>
          <table>
            <thead>
              <tr>
                <th scope="col">Eval</th>
                <th scope="col">Passed</th>
                <th scope="col">Scenarios</th>
              </tr>
            </thead>
            <tbody>
              ${byEval(results).map(evalRow)}
            </tbody>
          </table>
          <p class="filter">
            <label><input type="checkbox" id="only-missed" /> Show only what was missed</label>
          </p>
          ${byEval(results).map(
            (group) =>
              html`<section>
                <h2>${group.title}</h2>
                ${group.results.map(scenarioDetails)}
              </section>`,
          )}
        </main>
      </body>
    </html> `;
  return page.text;
}

type EvalGroup = ReturnType<typeof byEval>[number];

const marks: Record<Result['kind'], string> = { passed: '✓', missed: '✗', pending: '…', skipped: '–' };

function evalRow({ title, results }: EvalGroup): Html {
  const { passed } = tallyOf(results);
  return html`<tr>
    <th scope="row">${title}</th>
    <td class="number">${passed} of ${results.length}</td>
    <td>
      <ul class="cells">
        ${results.map(
          ({ kind, scenario }) =>
            html`<li class="${kind}">
              <a
                href="#${anchorOf(scenario.name)}"
                title="${scenario.title}"
                aria-label="${kind}: ${scenario.title}"
                >${marks[kind]}</a
              >
            </li>`,
        )}
      </ul>
    </td>
  </tr> `;
}

function scenarioDetails(result: Result): Html {
  const { kind, scenario } = result;
  const { source } = scenario;
  return html`<details class="scenario ${kind}">
    <summary><span class="mark ${kind}">${marks[kind]} ${kind}</span> ${scenario.title}</summary>
    <div class="inside" id="${anchorOf(scenario.name)}">
      <p>${scenario.why}</p>
      <p class="quiet"><code>${scenario.name}</code>${catches(scenario)}</p>
      ${source && html`<p class="quiet">${source.id} (${source.year}): ${source.what_happened} <a href="${source.url}">Source</a></p>`}
      ${'reason' in result ? html`<p class="${kind}">Not run: ${result.reason}</p>` : pathsOf(result)}
    </div>
  </details> `;
}

function catches(scenario: Result['scenario']): string {
  if (isPending(scenario) || scenario.catches === undefined) return '';
  return scenario.catches === 'lucky_gate'
    ? ' · catches a weak gate that passes its neighbours by luck'
    : ' · catches a gate that stops too much';
}

type RunResult = Extract<Result, { outcome: unknown }>;

function pathsOf({ checks, outcome }: RunResult): Html {
  const { compacted, full } = outcome;
  const { body, http } = compacted.answer;
  const verdicts = {
    go: 'Go on',
    stop: 'Stop',
    blocked: 'Stop until it is known what happened',
  };
  return html`<ul class="checks">
      ${checks.map(checkItem)}
    </ul>
    <div class="paths">
      <section class="path">
        <h3>Compacted history: the gate decides</h3>
        <p class="verdict">
          ${String(memberOf(body, 'status'))}<br />${String(memberOf(body, 'reason'))}
          <span class="quiet">HTTP ${http}${compacted.at === 'boundary' ? ', at the boundary' : ''}</span>
        </p>
        ${timelineOf(compacted.timeline)}
      </section>
      <section class="path">
        <h3>Full history: the oracle decides</h3>
        <p class="verdict">
          ${verdicts[full.verdict]}<br /><span class="quiet"
            >${full.because.join('; ') || 'nothing speaks against it'}</span
          >
        </p>
        ${timelineOf(full.timeline)}
      </section>
    </div>`;
}

/** What is wrong in full, what is right in a word. */
function checkItem({ name, fault }: RunResult['checks'][number]): Html {
  return fault === undefined
    ? html`<li class="passed">✓ ${checkNames[name]}</li>`
    : html`<li class="missed">✗ ${checkNames[name]}: ${fault}</li>`;
}

const phaseTitles: Record<Phase, string> = {
  history: 'History',
  boundary: 'The boundary',
  afterwards: 'While the run is away',
  resume: 'The run wants to go on',
  evidence: 'What is on record',
  oracle: 'The decision',
};

function timelineOf(timeline: readonly TimelineEntry[]): Html {
  const items = timeline.map((entry, index) => {
    const { phase } = entry;
    const isNew = phase !== timeline[index - 1]?.phase;
    const decides = phase === 'boundary' || phase === 'resume';
    return html`${isNew ? html`<li class="phase">${phaseTitles[phase]}</li>` : undefined}
      <li class="${decides ? 'decides' : 'step'}">${entryOf(entry)}</li>`;
  });
  return html`<ol class="timeline">
    ${items}
  </ol>`;
}

function entryOf({ what, http, sent, answer }: TimelineEntry): Html {
  const [first = '', ...rest] = what.split(' ');
  const line = /^(?:GET|PUT|POST)$/.test(first)
    ? html`<code>${first} ${shortened(rest.join(' '))}</code> ${
          http === undefined
            ? undefined
            : html`<span class="${http < 300 ? 'quiet' : 'pending'}">${http}</span>`
        }`
    : html`${what}`;
  if (sent === undefined && answer === undefined) return line;
  return html`<details>
    <summary>${line}</summary>
    ${sent === undefined ? undefined : html`<pre>${json(sent)}</pre>`}${
      answer === undefined
        ? undefined
        : html`<p class="quiet">answered</p>
            <pre>${json(answer)}</pre>`
    }
  </details>`;
}

/** The tenant is the run's own and says nothing to a reader. */
function shortened(path: string): string {
  return decodeURIComponent(path.replace(/^\/tenants\/[^/]+\//, '…/').replace(/tenant_id=[^&]+&?/, ''));
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 1);
}

function anchorOf(name: string): string {
  return name.replaceAll(/[^a-z0-9-]/g, '_');
}
