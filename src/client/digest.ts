/** What binds a summary to its envelope: `sha256:` and the hex SHA-256 of the text without white space around it. */
export async function summaryDigest(summary: string): Promise<string> {
  return `sha256:${await sha256Hex(trimWhiteSpace(summary))}`;
}

export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Unicode White_Space, which is not what `trim` strips: U+0085 belongs to it, U+FEFF does not. */
function trimWhiteSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (whiteSpace.test(text.charAt(start))) start += 1;
  while (end > start && whiteSpace.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const whiteSpace = /\p{White_Space}/u;
