import { format } from 'prettier';
import { expect, it } from 'vitest';

import { stopStatusOf } from '../../src/domain/decide.js';
import { goReason, refusals } from '../../src/domain/reasons.js';
import { isAskedAt, rules, rulesVersion, type Rule } from '../../src/domain/rules.js';

it('is written from the rules: run with `--update` after a change of them', async () => {
  const page = await format(reasonsPage(), { parser: 'markdown', printWidth: 110 });

  await expect(page).toMatchFileSnapshot('../../docs/reasons.md');
});

type Told = Pick<Rule, 'meaning' | 'remedy'> & { readonly reason: string };

function reasonsPage(): string {
  return `# Reasons

<!-- Written from \`src/domain/rules.ts\` by \`test/unit/reasons-page.test.ts\`. -->

Every rule is asked, in this order. \`findings\` names each one that failed; the first is the \`reason\` and sets the
decision. A rule is asked before the boundary (\`POST /envelopes\`, sealing), after it (\`POST /rehydrate\`, resuming), or
both. These are the rules of version \`${rulesVersion}\`, which is stored with each decision.

| # | Reason | Asked at | Decision |
| --: | --- | --- | --- |
${rules.map((rule, index) => `| ${index + 1} | [\`${rule.reason}\`](#${rule.reason}) | ${askedAt(rule)} | \`${stopStatusOf(rule)}\` |`).join('\n')}

${rules.map((rule) => section(rule, toldOfSealed(rule))).join('\n\n')}

## Without a rule

${[goReason, ...refusals].map((told) => section(told)).join('\n\n')}
`;
}

function section({ reason, meaning, remedy }: Told, note = ''): string {
  return `### \`${reason}\`\n\n${meaning}${note}\n\n**Do this:** ${remedy}`;
}

function toldOfSealed({ identity }: Rule): string {
  return identity ? ' Nothing of what was sealed is told.' : '';
}

function askedAt(rule: Rule): string {
  if (!isAskedAt('sealing', rule)) return 'resuming';
  return isAskedAt('rehydration', rule) ? 'both' : 'sealing';
}
