import GithubSlugger from 'github-slugger';
import { lexer, Parser, TextRenderer, walkTokens, type Token, type Tokens } from 'marked';

/** A fenced code block, with the line of its fence. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** The nearest heading above it. */
  readonly heading: string;
  /** Whether nothing but empty lines stands between it and the block before. */
  readonly follows: boolean;
}

/** The fenced code blocks of a page that are in no list or quotation, in its order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let [line, heading, follows] = [1, '', false];
  for (const token of lexer(markdown)) {
    if (isHeading(token)) heading = textOf(token);
    if (isCode(token)) blocks.push({ language: token.lang ?? '', text: token.text, line, heading, follows });
    if (token.type !== 'space') follows = isCode(token);
    line += token.raw.split('\n').length - 1;
  }
  return blocks;
}

/** The rows of the table with these column titles, as the source of their cells. Throws if there is no such table. */
export function tableRows(markdown: string, ...titles: string[]): string[][] {
  const table = tokensOf(markdown)
    .filter(isTable)
    .find(({ header }) => header.map(({ text }) => text).join('|') === titles.join('|'));
  if (!table) throw new Error(`There is no table with the columns ${titles.join(', ')}`);
  return table.rows.map((cells) => cells.map(({ text }) => text));
}

/** The anchors that links can point at: GitHub's, one a heading. */
export function anchorsOf(markdown: string): string[] {
  const slugger = new GithubSlugger();
  return tokensOf(markdown)
    .filter(isHeading)
    .map((heading) => slugger.slug(textOf(heading)));
}

/** The targets of the links of a page. */
export function linkTargets(markdown: string): string[] {
  return tokensOf(markdown)
    .filter((token): token is Tokens.Link => token.type === 'link')
    .map(({ href }) => href);
}

/** What stands in the page as code within a line. */
export function codeSpans(markdown: string): string[] {
  return tokensOf(markdown)
    .filter((token): token is Tokens.Codespan => token.type === 'codespan')
    .map(({ text }) => text);
}

/** Every token of a page, nested ones too. */
function tokensOf(markdown: string): Token[] {
  const tokens: Token[] = [];
  void walkTokens(lexer(markdown), (token) => void tokens.push(token));
  return tokens;
}

function textOf(heading: Tokens.Heading): string {
  return new Parser().parseInline(heading.tokens, new TextRenderer());
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}
