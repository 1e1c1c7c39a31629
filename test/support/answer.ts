import { valueAt } from './edit-json.js';

type Headers = Readonly<Record<string, number | string | string[] | undefined>>;

/** An answer of the service, however it came. */
export class Answer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Headers;
  readonly text: string;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get contentType(): string {
    return String(this.headers['content-type'] ?? '');
  }

  get body(): unknown {
    const body: unknown = JSON.parse(this.text);
    return body;
  }

  /** A member of the body that must be a string, by its JSON pointer. */
  string(pointer: string): string {
    const value = valueAt(this.body, pointer);
    if (typeof value === 'string') return value;
    throw new Error(`There is no string at ${pointer} of ${this.text}`);
  }
}
