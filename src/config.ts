import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';

import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { distance } from 'fastest-levenshtein';

function milliseconds(normally: string, description: string) {
  return Type.String({ pattern: '^[1-9][0-9]{2,4}$', default: normally, description });
}

/** Every setting, as text from the environment. The README's table says the same; a test holds the two together. */
export const Settings = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on' }),
  PORT: Type.String({ pattern: '^[0-9]{1,5}$', default: '8080', description: 'Port to listen on' }),
  DATABASE_URL: Type.Optional(
    Type.String({ pattern: '^postgres(ql)?://.', description: 'The governed store; embedded if absent' }),
  ),
  DATABASE_POOL_SIZE: Type.String({
    pattern: '^[1-9][0-9]{0,2}$',
    default: '8',
    description: 'Connections to the store at most, for each gate',
  }),
  DATABASE_MAX_WAITING: Type.String({
    pattern: '^[1-9][0-9]{0,5}$',
    default: '1000',
    description: 'Requests at most that wait for the store; one more is turned away with 503',
  }),
  DATABASE_CONNECT_TIMEOUT_MS: milliseconds(
    '2000',
    'How long a connection is waited for, in milliseconds, from 100 to 99999',
  ),
  DATABASE_LOCK_TIMEOUT_MS: milliseconds(
    '2000',
    'How long a lock or a turn at a session is waited for, in milliseconds, from 100 to 99999',
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: milliseconds(
    '4000',
    'How long a statement may take, its waits for locks included, in milliseconds, from 100 to 99999',
  ),
  CONTINUITY_DATA_DIR: Type.String({
    minLength: 1,
    default: '.data',
    description: 'Files of the embedded store, kept between starts',
  }),
  AUTH_JWKS_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+',
      description: "URL of the identity provider's keys; https unless on loopback",
    }),
  ),
  AUTH_JWKS_FILE: Type.Optional(
    Type.String({ minLength: 1, description: "File with the identity provider's keys, instead of a URL" }),
  ),
  AUTH_ISSUER: Type.Optional(Type.String({ minLength: 1, description: 'The `iss` that tokens must have' })),
  AUTH_AUDIENCE: Type.Optional(Type.String({ minLength: 1, description: 'The `aud` that tokens must have' })),
  AUTH_OPEN: Type.Optional(
    Type.Literal('yes', { description: '`yes`: open to everyone beyond loopback, on purpose' }),
  ),
  ATTESTED_STATE: Type.Optional(
    Type.Union([Type.Literal('on'), Type.Literal('off')], {
      description:
        'Whether `current_state` and `released` are accepted; `on` if open on loopback, else `off`',
    }),
  ),
  RECEIPT_KEY_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Private Ed25519 JWK Set that receipts are signed with; made under the data directory if absent',
    }),
  ),
  RECEIPT_TTL_S: Type.String({
    pattern: '^[1-9][0-9]{0,4}$',
    default: '60',
    description: 'How long receipts live, in seconds, at most 99999',
  }),
  RECEIPT_ISSUER: Type.String({
    minLength: 1,
    default: 'continuity-gate',
    description: 'The `iss` of receipts',
  }),
  RATE_LIMIT_PER_CALLER: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,6}$',
      description:
        'Requests a second at most of each token subject, or address if open; any number if absent',
    }),
  ),
  RATE_LIMIT_PER_ADDRESS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,6}$',
      description:
        'Requests a second at most from each address, with or without a token; any number if absent',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'OpenTelemetry collector; no spans are sent if absent',
    }),
  ),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: "The log's level" },
  ),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Whose tokens are accepted; undefined: the service is open. */
  readonly identityProvider: IdentityProvider | undefined;
  /** Host names that an open service answers to; undefined: to every one. */
  readonly hostNames: readonly string[] | undefined;
  /** Undefined: a Postgres of its own. */
  readonly databaseUrl: string | undefined;
  /** Connections, requests that wait, and time-outs in milliseconds. */
  readonly database: {
    readonly maxConnections: number;
    readonly maxWaiting: number;
    readonly connectTimeoutMs: number;
    readonly lockTimeoutMs: number;
    readonly statementTimeoutMs: number;
  };
  readonly dataDirectory: string;
  readonly attestedState: boolean;
  readonly receipts: {
    /** Undefined: made and kept under the data directory. */
    readonly keyFile: string | undefined;
    readonly issuer: string;
    readonly lifeSeconds: number;
  };
  /** Requests a second at most of each caller and from each address; undefined: any number. */
  readonly limits: { readonly perCaller: number | undefined; readonly perAddress: number | undefined };
  /** Whether spans are sent to a collector. */
  readonly tracing: boolean;
  /** Whether only this machine can reach the service. */
  readonly onLoopback: boolean;
  readonly logLevel: string;
}

export interface IdentityProvider {
  readonly jwks: { readonly url: URL } | { readonly file: string };
  readonly issuer: string;
  readonly audience: string;
}

/** Settings that the service can't start with: all of them at once, each by its name. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads the settings. Throws `ConfigError` for what is malformed, contradictory, or ours by its prefix and unknown. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems = [...unknownSettings(environment), ...malformedSettings(environment)];
  if (problems.length > 0) throw new ConfigError(problems);
  const settings = Value.Decode(Settings, withDefaults(environment));
  const contradictions = contradictionsIn(settings);
  if (contradictions.length > 0) throw new ConfigError(contradictions);
  const identityProvider = identityProviderOf(settings);
  const openOnLoopback = identityProvider === undefined && isLoopback(settings.HOST);
  return Object.freeze({
    host: settings.HOST,
    port: Number(settings.PORT),
    identityProvider,
    hostNames: openOnLoopback ? ['localhost', '127.0.0.1', '[::1]', settings.HOST] : undefined,
    databaseUrl: settings.DATABASE_URL,
    database: {
      maxConnections: Number(settings.DATABASE_POOL_SIZE),
      maxWaiting: Number(settings.DATABASE_MAX_WAITING),
      connectTimeoutMs: Number(settings.DATABASE_CONNECT_TIMEOUT_MS),
      lockTimeoutMs: Number(settings.DATABASE_LOCK_TIMEOUT_MS),
      statementTimeoutMs: Number(settings.DATABASE_STATEMENT_TIMEOUT_MS),
    },
    dataDirectory: resolve(settings.CONTINUITY_DATA_DIR),
    attestedState: settings.ATTESTED_STATE === undefined ? openOnLoopback : settings.ATTESTED_STATE === 'on',
    receipts: {
      keyFile: settings.RECEIPT_KEY_FILE === undefined ? undefined : resolve(settings.RECEIPT_KEY_FILE),
      issuer: settings.RECEIPT_ISSUER,
      lifeSeconds: Number(settings.RECEIPT_TTL_S),
    },
    limits: {
      perCaller: numberOf(settings.RATE_LIMIT_PER_CALLER),
      perAddress: numberOf(settings.RATE_LIMIT_PER_ADDRESS),
    },
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    onLoopback: isLoopback(settings.HOST),
    logLevel: settings.LOG_LEVEL,
  });
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** Reads the one setting that migrating alone needs. Throws `ConfigError` where it is absent or malformed. */
export function readDatabaseUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const url = environment['DATABASE_URL'] ?? '';
  if (Value.Check(Settings.properties.DATABASE_URL, url)) return url;
  const fault = url === '' ? 'is not set' : 'is malformed';
  throw new ConfigError([`DATABASE_URL ${fault}: postgres://user:password@host:port/database`]);
}

type Settings = Static<typeof Settings>;

/** A misspelt setting of ours would otherwise be a default that nobody chose. */
const prefixes = ['AUTH_', 'CONTINUITY_', 'ATTESTED_', 'RECEIPT_'];

function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter((name) => !Object.hasOwn(Settings.properties, name))
    .flatMap((name) => {
      const near = nearMiss(name);
      if (near !== undefined) return `${name} is not a setting of this service: did you mean ${near}?`;
      return prefixes.some((prefix) => name.startsWith(prefix))
        ? `${name} is not a setting of this service`
        : [];
    });
}

/** The setting that a name was probably meant to be. Short names are near to much that is not ours, HOME to HOST. */
function nearMiss(name: string): string | undefined {
  if (name.length < 8) return undefined;
  return Object.keys(Settings.properties).find((known) => distance(name, known) <= 2);
}

function malformedSettings(environment: NodeJS.ProcessEnv): string[] {
  const errors = [...Value.Errors(Settings, withDefaults(environment))];
  const names = new Set(errors.map(({ path }) => path.slice(1)));
  return [...names].map((name) => `${name} is malformed: ${describe(name)}`);
}

/** What a setting should be; never what it was, since it may hold a password. */
function describe(name: string): string {
  const schema = Object.entries(Settings.properties).find(([key]) => key === name)?.[1];
  return schema?.description ?? 'see the README';
}

/** What is wrong with settings that are each well-formed. */
function contradictionsIn(settings: Settings): string[] {
  const { PORT, HOST, AUTH_JWKS_URL, AUTH_JWKS_FILE, AUTH_OPEN } = settings;
  const problems: string[] = [];
  if (Number(PORT) > 65_535) problems.push('PORT is malformed: a port is at most 65535');
  if (Number(settings.DATABASE_LOCK_TIMEOUT_MS) >= Number(settings.DATABASE_STATEMENT_TIMEOUT_MS)) {
    problems.push(
      'DATABASE_LOCK_TIMEOUT_MS is not less than DATABASE_STATEMENT_TIMEOUT_MS, which ends every wait for a lock',
    );
  }
  if (AUTH_JWKS_URL !== undefined && AUTH_JWKS_FILE !== undefined) {
    problems.push('AUTH_JWKS_URL and AUTH_JWKS_FILE exclude each other: set one of them');
  }
  if (AUTH_JWKS_URL !== undefined && !isSafeUrl(AUTH_JWKS_URL)) {
    problems.push(
      'AUTH_JWKS_URL is malformed: keys beyond loopback are fetched over https only, and no password belongs in it',
    );
  }
  const configured = AUTH_JWKS_URL ?? AUTH_JWKS_FILE;
  for (const name of ['AUTH_ISSUER', 'AUTH_AUDIENCE'] as const) {
    if (configured !== undefined && settings[name] === undefined)
      problems.push(`${name} is required with an identity provider`);
    if (configured === undefined && settings[name] !== undefined) {
      problems.push(`${name} is set, but neither AUTH_JWKS_URL nor AUTH_JWKS_FILE is`);
    }
  }
  if (configured !== undefined && AUTH_OPEN === 'yes') {
    problems.push('AUTH_OPEN=yes and an identity provider exclude each other');
  }
  if (configured === undefined && !isLoopback(HOST) && AUTH_OPEN !== 'yes') {
    problems.push(
      `HOST is ${HOST}, beyond loopback, and no identity provider is configured: set AUTH_OPEN=yes to serve everyone there on purpose`,
    );
  }
  return problems;
}

function identityProviderOf(settings: Settings): IdentityProvider | undefined {
  const { AUTH_JWKS_URL, AUTH_JWKS_FILE, AUTH_ISSUER, AUTH_AUDIENCE } = settings;
  if (AUTH_ISSUER === undefined || AUTH_AUDIENCE === undefined) return undefined;
  const common = { issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE };
  if (AUTH_JWKS_URL !== undefined) return { ...common, jwks: { url: new URL(AUTH_JWKS_URL) } };
  if (AUTH_JWKS_FILE !== undefined) return { ...common, jwks: { file: resolve(AUTH_JWKS_FILE) } };
  return undefined;
}

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  // No request can be made with them, and the error of each would show them in the log.
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** The settings that are there, an empty one counting as absent, and the defaults of those that are not. */
function withDefaults(environment: NodeJS.ProcessEnv): unknown {
  const given = Object.keys(Settings.properties)
    .filter((name) => (environment[name] ?? '') !== '')
    .map((name) => [name, environment[name]]);
  return Value.Default(Settings, Object.fromEntries(given));
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const family = isIP(host);
  return family !== 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
