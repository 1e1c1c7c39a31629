import { readdirSync, readFileSync } from 'node:fs';

/** Every page, in the order in which a reader meets them: the later ones go on where the earlier ones end. */
export const pages: readonly string[] = [
  'README.md',
  'docs/walkthrough.md',
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md') && file !== 'walkthrough.md')
    .map((file) => `docs/${file}`),
  'src/evals/README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
];

export function readPage(page: string): string {
  return readFileSync(page, 'utf8');
}
