import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';

import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** Every setting, as text from the environment. The README's table says the same; a test holds the two together. */
export const Settings = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on' }),
  PORT: Type.String({ pattern: '^[0-9]{1,5}$', default: '8080', description: 'Port to listen on' }),
  DATABASE_URL: Type.Optional(
    Type.String({ pattern: '^postgres(ql)?://.', description: 'The governed store; embedded if absent' }),
  ),
  CONTINUITY_DATA_DIR: Type.String({
    minLength: 1,
    default: '.data',
    description: 'Files of the embedded store, kept between starts',
  }),
  AUTH_OPEN: Type.Optional(
    Type.Literal('yes', { description: '`yes`: open to everyone beyond loopback, on purpose' }),
  ),
  ATTESTED_STATE: Type.Optional(
    Type.Union([Type.Literal('on'), Type.Literal('off')], {
      description:
        'Whether `current_state` and `released` are accepted; `on` if open on loopback, else `off`',
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
  /** Whether the service is reachable from its own machine only. */
  readonly onLoopback: boolean;
  /** Undefined: a Postgres of its own. */
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly attestedState: boolean;
  readonly logLevel: string;
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
  const onLoopback = isLoopback(settings.HOST);
  return Object.freeze({
    host: settings.HOST,
    port: Number(settings.PORT),
    onLoopback,
    databaseUrl: settings.DATABASE_URL,
    dataDirectory: resolve(settings.CONTINUITY_DATA_DIR),
    attestedState: settings.ATTESTED_STATE === undefined ? onLoopback : settings.ATTESTED_STATE === 'on',
    logLevel: settings.LOG_LEVEL,
  });
}

type Settings = Static<typeof Settings>;

/** A misspelt setting of ours would otherwise be a default that nobody chose. */
const prefixes = ['AUTH_', 'CONTINUITY_', 'ATTESTED_', 'RECEIPT_'];

function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .filter((name) => !Object.hasOwn(Settings.properties, name))
    .map((name) => `${name} is not a setting of this service`);
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

function contradictionsIn(settings: Settings): string[] {
  const problems: string[] = [];
  if (Number(settings.PORT) > 65_535) problems.push('PORT is malformed: a port is at most 65535');
  if (!isLoopback(settings.HOST) && settings.AUTH_OPEN !== 'yes') {
    problems.push(
      `HOST is ${settings.HOST}, beyond loopback, and no identity provider is configured: set AUTH_OPEN=yes to serve everyone there on purpose`,
    );
  }
  return problems;
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
