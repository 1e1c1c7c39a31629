/** A fenced code block, with the line of its fence. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** The nearest heading above it. */
  readonly heading: string;
}

/** The fenced code blocks of a page, in its order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = '';
  let open: { language: string; lines: string[]; line: number } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (open && fence) {
      blocks.push({ language: open.language, text: open.lines.join('\n'), line: open.line, heading });
      open = undefined;
    } else if (open) {
      open.lines.push(line);
    } else if (fence) {
      open = { language: fence[1] ?? '', lines: [], line: index + 1 };
    } else {
      heading = headingOf(line) ?? heading;
    }
  }
  return blocks;
}

/** The page without its fenced code blocks. */
export function proseOf(markdown: string): string {
  return markdown.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '');
}

/** The rows of the table with these column titles, as the text of their cells. Throws if there is no such table. */
export function tableRows(markdown: string, ...titles: string[]): string[][] {
  const lines = proseOf(markdown).split('\n');
  const start = lines.findIndex((line) => cellsOf(line).join('|') === titles.join('|'));
  if (start === -1) throw new Error(`There is no table with the columns ${titles.join(', ')}`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map(cellsOf);
}

/** The anchors that links can point at: GitHub's, one a heading. */
export function anchorsOf(markdown: string): string[] {
  return proseOf(markdown)
    .split('\n')
    .flatMap((line) => headingOf(line) ?? [])
    .map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
}

/** The targets of the links of a page. */
export function linkTargets(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => target ?? []);
}

/** What stands in the page between single backticks. */
export function codeSpans(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/`([^`\n]+)`/g)].flatMap(([, span]) => span ?? []);
}

function headingOf(line: string): string | undefined {
  return /^#{1,6} (.+)$/.exec(line)?.[1];
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
