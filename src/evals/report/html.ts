/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Part[] | undefined;

/** A template whose every value is escaped, unless it is HTML that such a template has made. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.flatMap((string, index) =>
    index < parts.length ? [string, render(parts[index])] : [string],
  );
  return new Html(texts.join(''));
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return escaped(String(part));
}

/** Invisible characters are shown by their numbers: what a summary hides is what a reviewer has to see. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Cc}\n\t]/gu, (character) => {
      const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return `&lt;U+${number}&gt;`;
    });
}
