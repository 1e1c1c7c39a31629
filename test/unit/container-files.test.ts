import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { DockerfileParser } from 'dockerfile-ast';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.js';

const Service = Type.Object({
  image: Type.String(),
  build: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  read_only: Type.Optional(Type.Boolean()),
  privileged: Type.Optional(Type.Boolean()),
  cap_drop: Type.Optional(Type.Array(Type.String())),
  cap_add: Type.Optional(Type.Array(Type.String())),
  security_opt: Type.Optional(Type.Array(Type.String())),
  network_mode: Type.Optional(Type.String()),
  networks: Type.Optional(Type.Array(Type.String())),
  ports: Type.Optional(Type.Array(Type.String())),
  volumes: Type.Optional(Type.Array(Type.String())),
  environment: Type.Optional(Type.Record(Type.String(), Type.String())),
  command: Type.Optional(Type.Array(Type.String())),
  depends_on: Type.Optional(Type.Record(Type.String(), Type.Object({ condition: Type.String() }))),
});
type Service = Static<typeof Service>;

const Compose = Type.Object({
  services: Type.Record(Type.String(), Service),
  networks: Type.Record(Type.String(), Type.Object({ internal: Type.Optional(Type.Boolean()) })),
});

const composeText = read('docker-compose.yml');
const compose = Value.Parse(Compose, parse(composeText, { merge: true }));
const services = Object.entries(compose.services);
const dockerfile = DockerfileParser.parse(read('Dockerfile'));
const instructions = dockerfile.getInstructions();
const lastStage = instructions.slice(
  instructions.findLastIndex((instruction) => instruction.getKeyword() === 'FROM'),
);
const imageEnvironment = Object.fromEntries(
  dockerfile
    .getENVs()
    .flatMap((env) => env.getProperties())
    .map((property) => [property.getName(), property.getValue() ?? '']),
);

describe('the image', () => {
  it('is made of one base image, pinned to a major version of Node and a release of Debian', () => {
    const bases = dockerfile.getFROMs().map((from) => from.getImage());
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:\d+-[a-z]+-slim$/);
  });

  it('runs as a user that is not root, said as a number', () => {
    expect(argumentsOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('starts Node itself as its first process, so that it hears signals', () => {
    expect(JSON.parse(argumentsOf('CMD'))).toEqual(['node', 'dist/server.js']);
    expect(lastStage.some((instruction) => instruction.getKeyword() === 'ENTRYPOINT')).toBe(false);
  });

  it('leaves out the embedded Postgres and what only development needs', () => {
    expect(read('Dockerfile')).toMatch(/npm ci --ignore-scripts --omit=dev --omit=optional/);
  });

  it('refuses to serve everyone unless someone says that it may', () => {
    const environment = { ...imageEnvironment, DATABASE_URL: 'postgres://gate@postgres/gate' };
    expect(() => readConfig(environment)).toThrow('set AUTH_OPEN=yes to serve everyone there on purpose');
    expect(readConfig({ ...environment, AUTH_OPEN: 'yes' })).toMatchObject({
      host: '0.0.0.0',
      attestedState: false,
    });
  });

  it('is built from named files only, so that no secret of a checkout gets in', () => {
    const [first, ...others] = read('.dockerignore').trim().split('\n');
    expect(first).toBe('*');
    expect(others.every((line) => /^![\w.-]+$/.test(line))).toBe(true);
  });

  it.each([
    ['well when the gate answers', 200, 0],
    ['ill when it answers with an error', 503, 1],
    ['ill when nothing answers', undefined, 1],
  ])('is %s', async (_, status, exitCode) => {
    const port = await portThatAnswers(status);
    const [node, ...args] = Value.Parse(
      Type.Array(Type.String()),
      JSON.parse(argumentsOf('HEALTHCHECK').replace(/^.*?CMD /s, '')),
    );
    expect(node).toBe('node');
    const outcome = await promisify(execFile)(process.execPath, args, { env: { PORT: String(port) } }).then(
      () => 0,
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    expect(outcome).toBe(exitCode);
  });
});

describe('docker compose up', () => {
  it('publishes the gate on loopback and nothing else', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([['gate', '127.0.0.1:8080:8080']]);
  });

  it('starts the gate with settings that it accepts, as open as it is on loopback', () => {
    const { environment } = service('gate');
    expect(readConfig({ ...imageEnvironment, ...environment })).toMatchObject({
      identityProvider: undefined,
      attestedState: true,
    });
  });

  it('has no password in any setting', () => {
    const settings = services.flatMap(([, { environment = {} }]) => Object.entries(environment));
    for (const [name, value] of settings) {
      if (/PASS|SECRET|TOKEN/.test(name)) expect(value).toMatch(/^\/run\/passwords\//);
      if (URL.canParse(value)) expect(new URL(value).password).toBe('');
    }
  });

  it.each(services)('gives the service %s no more rights than it needs', (name, definition) => {
    expect(definition).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(definition.privileged).toBeUndefined();
    expect(definition.cap_add ?? []).toEqual(name === 'passwords' ? ['CHOWN'] : []);
    if (name === 'passwords') expect(definition.network_mode).toBe('none');
    if (definition.build === undefined && name !== 'passwords') expect(definition.user).toBe('postgres');
    if (definition.build === undefined) expect(definition.image).toMatch(/^postgres:17-[a-z]+$/);
  });

  it('lets each role know its own password only', () => {
    const mounts = services.flatMap(([name, { volumes = [] }]) =>
      volumes.map((volume) => `${name} ${volume}`),
    );
    expect(mounts.filter((mount) => mount.includes('password')).sort()).toEqual([
      'gate gate-password:/run/passwords:ro',
      'migrate owner-password:/run/passwords:ro',
      'passwords gate-password:/passwords/gate',
      'passwords owner-password:/passwords/owner',
      'passwords postgres-passwords:/passwords/postgres',
      'postgres postgres-passwords:/run/passwords:ro',
      'roles postgres-passwords:/run/passwords:ro',
    ]);
    const [uid] = argumentsOf('USER').split(':');
    expect(scriptOf('passwords')).toContain(`/pgpass" ${uid ?? ''}:`);
  });

  it('keeps the gate from the schema: one role migrates, another one serves and is given nothing else', () => {
    const [owner, login] = ['migrate', 'gate'].map((name) => {
      const { username } = new URL(service(name).environment?.['DATABASE_URL'] ?? '');
      return username;
    });
    expect([owner, login]).toEqual(['continuity_gate_owner', 'continuity_gate']);
    const grants = scriptOf('roles').match(/^(grant|alter) .*/gm);
    expect(grants?.filter((statement) => /\bcontinuity_gate;|\bcontinuity_gate /.test(statement))).toEqual([
      "alter role continuity_gate password :'gate_password';",
      'grant continuity_gate_service to continuity_gate;',
      'alter database continuity_gate owner to continuity_gate_owner;',
      'grant connect on database continuity_gate to continuity_gate_service, continuity_gate_reader;',
    ]);
  });

  it('makes every role that the migrations need, since their owner may not', () => {
    const migrations = readdirSync(new URL('../../migrations/', import.meta.url));
    const roles = migrations.flatMap(
      (name) => read(`migrations/${name}`).match(/\bcontinuity_gate_[a-z]+\b/g) ?? [],
    );
    expect(roles).not.toEqual([]);
    for (const role of new Set(roles)) expect(scriptOf('roles')).toContain(`('${role}', 'nologin')`);
  });

  it('starts the gate after the migration, that after the roles, and those after a Postgres that answers', () => {
    const conditions = services.map(([name, { depends_on = {} }]) => [
      name,
      Object.entries(depends_on).map(([dependency, { condition }]) => `${dependency} ${condition}`),
    ]);
    expect(Object.fromEntries(conditions)).toEqual({
      passwords: [],
      postgres: ['passwords service_completed_successfully'],
      roles: ['postgres service_healthy'],
      migrate: ['roles service_completed_successfully'],
      gate: ['migrate service_completed_successfully'],
    });
  });

  it('keeps Postgres on a network of its own', () => {
    expect(compose.networks['store']).toEqual({ internal: true });
    expect(service('postgres').networks).toEqual(['store']);
  });
});

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** What stands behind an instruction of the image's last stage. */
function argumentsOf(keyword: string): string {
  const found = lastStage.find((instruction) => instruction.getKeyword() === keyword);
  return found?.getRawArgumentsContent() ?? '';
}

function service(name: string): Service {
  const found = compose.services[name];
  if (!found) throw new Error(`There is no service ${name}`);
  return found;
}

function scriptOf(name: string): string {
  return service(name).command?.join('\n') ?? '';
}

/** A port on which every request gets the status; undefined: on which nobody listens. */
async function portThatAnswers(status: number | undefined): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(status ?? 500, { connection: 'close' }).end();
    server.close();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (status === undefined) {
    server.close();
    await once(server, 'close');
  }
  return port;
}
