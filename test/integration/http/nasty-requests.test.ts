import type { AddressInfo } from 'node:net';
import { Type, type Static } from '@sinclair/typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { edited, valueAt } from '../../support/edit-json.js';
import { sendRaw } from './raw-http.js';
import { readFixture } from '../../support/read-fixture.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const closed = { additionalProperties: false };
const Edit = Type.Object({ set: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }, closed);
const Body = Type.Union([
  Type.Object({ text: Type.String() }, closed),
  Type.Object({ base64: Type.String() }, closed),
  Type.Object({ repeat: Type.Array(Type.Tuple([Type.String(), Type.Integer()])) }, closed),
  Type.Object({ seal: Edit }, closed),
  Type.Object({ rehydrate: Edit }, closed),
]);
const NastyRequest = Type.Object(
  {
    name: Type.String(),
    /** The path that documents the answer; `bodies` stands for every route that reads one. */
    to: Type.String(),
    /** POST if absent. */
    method: Type.Optional(Type.String()),
    /** The path itself if absent. */
    target: Type.Optional(Type.String()),
    /** Instead of the usual ones: null for none, a list for several lines of one name. */
    headers: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Null(), Type.Array(Type.String())])),
    ),
    body: Type.Optional(Body),
    /** 400 if absent. */
    status: Type.Optional(Type.Integer({ maximum: 499 })),
    code: Type.Optional(Type.String()),
    detail: Type.Optional(Type.String()),
    /** Members of the answer by JSON pointer. */
    members: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
);
type NastyRequest = Static<typeof NastyRequest>;

const routesWithBodies = ['/envelopes', '/rehydrate', '/inspect-continuity'];

const requests = readFixture('nasty-requests.json', Type.Array(NastyRequest)).flatMap((request) =>
  request.to === 'bodies' ? routesWithBodies.map((to) => ({ ...request, to })) : [request],
);

let gate: TestApp;
let port: number;

beforeAll(async () => {
  gate = await createTestApp({
    access: { mode: 'open', attestedState: true, hostNames: ['localhost'] },
  });
  await gate.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = gate.app.server.address() as AddressInfo);
});

afterAll(() => gate.close());

it.each(requests)('$to: $name', async (request) => {
  const { method = 'POST', to, target = to, status = 400, code, detail, members = {} } = request;
  const body = bodyOf(request);
  const before = await storedRows();

  const answer = await sendRaw(port, {
    method,
    target: filledIn(target),
    headerLines: headerLinesOf(request, body),
    body,
  });

  expect(answer.status).toBe(status);
  if (answer.status !== 431) gate.contract.check(method, to, answer);
  if (code !== undefined) expect(answer.body).toMatchObject({ code });
  if (detail !== undefined) expect(answer.body).toMatchObject({ detail });
  if (to === '/rehydrate') {
    expect(answer.body).toMatchObject({ authorized: false, requires_reauthorization: true });
  }
  for (const [pointer, value] of Object.entries(members))
    expect(valueAt(answer.body, pointer)).toEqual(value);
  expect(answer.text).not.toMatch(leak);
  if ([400, 403, 413, 415, 431].includes(status)) expect(await storedRows()).toEqual(before);
});

it('the gate is none the worse for all of it', async () => {
  const run = requestsOf('afterwards');

  expect((await gate.get('/readyz')).status).toBe(200);
  expect((await gate.seal(run.sealRequest())).status).toBe(201);
  expect((await gate.rehydrate(run.rehydrateRequest())).status).toBe(200);
});

/** A frame of a stack, a path, or a piece of SQL or of what Postgres says. */
const leak =
  /\bat .+:\d+:\d+|node_modules|\bselect\b|\binsert into\b|relation "|invalid byte|SyntaxError|pg_/i;

function headerLinesOf({ headers = {} }: NastyRequest, body: Buffer): string[] {
  const usual = {
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': String(body.length),
    connection: 'close',
  };
  const all: Record<string, string | string[] | null> = { ...usual, ...headers };
  return Object.entries(all)
    .flatMap(([name, value]) => [value ?? []].flat().map((line) => `${name}: ${line}`))
    .map(filledIn);
}

function bodyOf({ name, to, body = { text: '' } }: NastyRequest): Buffer {
  if ('base64' in body) return Buffer.from(body.base64, 'base64');
  return Buffer.from(filledIn(textOf(`nasty ${to} ${name}`, body)));
}

function textOf(prefix: string, body: Exclude<Static<typeof Body>, { base64: string }>): string {
  if ('text' in body) return body.text;
  if ('repeat' in body) return body.repeat.map(([text, times]) => text.repeat(times)).join('');
  const run = requestsOf(prefix);
  return JSON.stringify(
    'seal' in body ? edited(run.sealRequest(), body.seal) : edited(run.rehydrateRequest(), body.rehydrate),
  );
}

/** Puts in what a data file had better not spell out. */
function filledIn(text: string): string {
  return text
    .replaceAll(/"@number ([^@]+)@"/g, '$1')
    .replaceAll(/@(\d+)@/g, (_, times: string) => 'k'.repeat(Number(times)))
    .replaceAll('"@1001 entries@"', Array(1_001).fill('"e"').join(','))
    .replaceAll('@1000 parameters@', Array(1_000).fill('&a=b').join(''))
    .replaceAll('@512 emoji@', '%F0%9F%8E%AB'.repeat(512))
    .replaceAll('@astral@', randomAstrals)
    .replaceAll('@astral path@', () => encodeURIComponent(randomAstrals()));
}

/** Random, because the store compresses what repeats itself. */
function randomAstrals(): string {
  const randomAstral = () => 0x2_0000 + Math.floor(Math.random() * 0xa000);
  return String.fromCodePoint(...Array.from({ length: 512 }, randomAstral));
}

function storedRows(): Promise<unknown[]> {
  return gate.query(
    `select (select count(*) from trace_events) as events, (select count(*) from decisions) as decisions,
            (select count(*) from envelopes) as envelopes, (select count(*) from session_heads) as heads,
            (select count(*) from idempotency_keys) as keys`,
  );
}
