import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import type { Answer } from './answer.js';
import { valueAt } from './edit-json.js';

/**
 * Holds answers to an OpenAPI document: their status must be documented for the operation, their media type for that
 * status, and their body must match its schema.
 */
export class OpenApiContract {
  readonly #document: unknown;
  readonly #operations: Operation[];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.#document = document;
    this.#operations = operationsOf(document);
    formats.default(this.#ajv);
    this.#ajv.addSchema(document, documentId);
  }

  /** Throws unless the document promises this answer to this request. */
  check(method: string, url: string, answer: Answer): void {
    const fault = this.#faultOf(method, url, answer);
    if (fault === undefined) return;
    const { status, contentType, text } = answer;
    throw new Error(
      `${method} ${url.slice(0, 200)} got an answer that is not documented: ${fault}\n` +
        `${status} ${contentType}\n${text.slice(0, 2_000)}`,
    );
  }

  #faultOf(method: string, url: string, { status, contentType, text }: Answer): string | undefined {
    const content = this.#contentPointer(method, url, status);
    if (valueAt(this.#document, content) === undefined) return `there is no status ${status}`;
    const mediaType = contentType.split(';')[0] ?? '';
    const media = `${content}/${escaped(mediaType)}`;
    if (valueAt(this.#document, media) === undefined) return `there is no media type "${mediaType}"`;
    const validate = this.#validator(`${media}/schema`);
    const body: unknown = mediaType.endsWith('json') ? JSON.parse(text) : text;
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  /** What no operation answers is answered as its path answers what it doesn't find. */
  #contentPointer(method: string, url: string, status: number): string {
    const path = url.replace(/[?#].*$/s, '').split('/');
    const operation =
      this.#operations.find((candidate) => candidate.method === method && matches(candidate, path)) ??
      this.#operations.find(({ id }) => id === (path[1] === 'rehydrate' ? 'rehydrate' : 'readEnvelope'));
    return `${operation?.pointer ?? ''}/responses/${status}/content`;
  }

  #validator(schemaPointer: string): ValidateFunction {
    const known = this.#validators.get(schemaPointer);
    if (known) return known;
    const $ref = `${documentId}#${schemaPointer.split('/').map(encodeURIComponent).join('/')}`;
    const made = this.#ajv.compile({ $ref });
    this.#validators.set(schemaPointer, made);
    return made;
  }
}

/** The contract of a document; equal documents share one, since compiling its schemas takes long. */
export function contractOf(document: object): OpenApiContract {
  const text = JSON.stringify(document);
  const known = contracts.get(text);
  if (known) return known;
  const made = new OpenApiContract(document);
  contracts.set(text, made);
  return made;
}

const contracts = new Map<string, OpenApiContract>();

interface Operation {
  readonly id: unknown;
  readonly method: string;
  readonly path: readonly string[];
  readonly pointer: string;
}

const documentId = 'urn:test:openapi';

/** Those whose path says more come first. */
function operationsOf(document: object): Operation[] {
  const paths = valueAt(document, '/paths');
  return Object.entries(paths ?? {})
    .flatMap(([path, methods]: [string, unknown]) =>
      Object.keys(methods ?? {}).map((method) => ({
        id: valueAt(methods, `/${method}/operationId`),
        method: method.toUpperCase(),
        path: path.split('/'),
        pointer: `/paths/${escaped(path)}/${method}`,
      })),
    )
    .sort((one, other) => parametersIn(one) - parametersIn(other));
}

function parametersIn({ path }: Operation): number {
  return path.filter(isParameter).length;
}

function matches({ path }: Operation, target: readonly string[]): boolean {
  return (
    path.length === target.length && path.every((part, index) => isParameter(part) || part === target[index])
  );
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
