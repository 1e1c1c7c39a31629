/** What of a request and of an error may leave the process, in the log and in spans alike. */

/** A URL without its query: a client that knows no better may have put its token there. */
export function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '');
}

/** A stack without its first lines, which repeat the message, and with it what the caller has written. */
export function framesOf({ stack = '' }: { readonly stack?: string | undefined }): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
