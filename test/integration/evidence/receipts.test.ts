import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, importPKCS8, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { verifyReceipt, type ReceiptRules } from '../../../src/client/verify-receipt.js';
import { toolGateway } from '../../../src/examples/tool-gateway.js';
import { ensureReceiptKeys, ephemeralReceiptKeys, readReceiptKeys } from '../../../src/receipts/keys.js';
import { createReceiptSigner } from '../../../src/receipts/sign-receipt.js';
import type { ReceiptClaims as GateClaims } from '../../../src/domain/receipt.js';
import { edited } from '../../support/edit-json.js';
import { writeMatchingRecords } from '../../support/records.js';
import { requestsOf } from '../../support/requests.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';

const signing = { issuer: 'continuity-gate', lifeSeconds: 60 };

let gate: TestApp;
let address: string;

beforeAll(async () => {
  gate = await createTestApp();
  address = await gate.app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => gate.close());

async function publishedKeys() {
  const { body } = await gate.get('/.well-known/jwks.json');
  return body as Parameters<typeof createLocalJWKSet>[0];
}

async function resumed(changes: Record<string, unknown> = {}) {
  const requests = requestsOf(randomUUID());
  await gate.seal(requests.sealRequest({ envelope: changes }));
  const answer = await gate.rehydrate(requests.rehydrateRequest());
  return { requests, answer, receipt: answer.string('/receipt') };
}

async function rulesFor({
  tenant_id,
  session_id,
}: {
  tenant_id: string;
  session_id: string;
}): Promise<ReceiptRules> {
  const { body } = await gate.get(`/tenants/${tenant_id}/sessions/${session_id}/epoch`);
  const { session_epoch } = body as { session_epoch: number };
  return {
    keys: createLocalJWKSet(await publishedKeys()),
    issuer: 'continuity-gate',
    tenant_id,
    session_id,
    session_epoch,
  };
}

describe('a receipt', () => {
  it('says what was decided, and that nothing is authorized', async () => {
    const { requests, answer, receipt } = await resumed();
    expect(decodeProtectedHeader(receipt)).toMatchObject({ alg: 'EdDSA', typ: 'continuity-receipt+jwt' });
    const claims = await verifyReceipt(receipt, await rulesFor(requests));
    expect(claims).toMatchObject({
      jti: answer.string('/decision_id'),
      iss: 'continuity-gate',
      session_epoch: 1,
      status: 'reauthorization_required',
      control_state_source: 'attested',
      authorized: false,
      versions: { policy_version: 'policy-v4' },
    });
    const { idempotency_key, capability_name, capability_version, action_digest, approval_id } =
      requests.envelope();
    expect(claims.actions).toEqual([
      { idempotency_key, capability_name, capability_version, action_digest, approval_id },
    ]);
    expect(claims.exp - claims.iat).toBe(60);
    expect(Math.abs(claims.iat - Date.parse(answer.string('/decided_at')) / 1_000)).toBeLessThanOrEqual(1);
  });

  it('never outlives the approval', async () => {
    const expiry = new Date(Date.now() + 20_000).toISOString();
    const { receipt } = await resumed({ approval_expires_at: expiry });
    expect(decodeJwt(receipt).exp).toBe(Math.floor(Date.parse(expiry) / 1_000));
  });

  it('is verified by another program that knows nothing but the published keys', async () => {
    const { receipt } = await resumed();
    const program = `
      import { createRemoteJWKSet, jwtVerify } from 'jose';
      const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', process.argv[1]));
      const { payload } = await jwtVerify(process.argv[2], keys, { typ: 'continuity-receipt+jwt', algorithms: ['EdDSA'] });
      console.log(payload.status);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
      address,
      receipt,
    ]);
    expect(stdout.trim()).toBe('reauthorization_required');
  });

  it('holds for its own session and epoch alone', async () => {
    const { requests, receipt } = await resumed();
    const rules = await rulesFor(requests);
    await expect(verifyReceipt(receipt, { ...rules, session_id: 'another' })).rejects.toMatchObject({
      reason: 'other_session',
    });
    await expect(verifyReceipt(receipt, { ...rules, tenant_id: 'another' })).rejects.toMatchObject({
      reason: 'other_session',
    });
    await gate.rehydrate(requests.rehydrateRequest());
    await expect(verifyReceipt(receipt, await rulesFor(requests))).rejects.toMatchObject({
      reason: 'stale_epoch',
    });
  });

  it('is none when it was changed, signed by another, of another type, or has run out', async () => {
    const { requests, receipt } = await resumed();
    const rules = await rulesFor(requests);
    const [header, , signature] = receipt.split('.');
    const claims = decodeJwt<GateClaims>(receipt);
    const changed = Buffer.from(JSON.stringify({ ...claims, session_epoch: 7 })).toString('base64url');
    const stranger = await ephemeralReceiptKeys();
    const asGate = createReceiptSigner(stranger, signing);
    const forged = asGate.sign(claims);
    const otherType = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: stranger.kid, typ: 'JWT' })
      .sign(await importPKCS8(stranger.signingKey, 'EdDSA'));
    const ranOut = asGate.sign({ ...claims, iat: 1, exp: 2 });
    const strangerRules = { ...rules, keys: createLocalJWKSet(stranger.jwks) };
    for (const [candidate, candidateRules] of [
      [`${header ?? ''}.${changed}.${signature ?? ''}`, rules],
      [forged, rules],
      [otherType, strangerRules],
      ['', rules],
    ] as const) {
      await expect(verifyReceipt(candidate, candidateRules)).rejects.toMatchObject({ reason: 'invalid' });
    }
    await expect(verifyReceipt(ranOut, strangerRules)).rejects.toMatchObject({ reason: 'expired' });
  });

  it('is of one issuer, which has to be named', async () => {
    const { requests, receipt } = await resumed();
    const rules = await rulesFor(requests);
    await expect(verifyReceipt(receipt, { ...rules, issuer: 'another-gate' })).rejects.toMatchObject({
      reason: 'invalid',
    });
    for (const issuer of [undefined, null, '']) {
      const unnamed = { ...rules, issuer } as ReceiptRules;
      await expect(verifyReceipt(receipt, unnamed)).rejects.toThrow('against the issuer that it must have');
    }
  });

  it('is refused where records have to stand behind it and a caller does', async () => {
    const { requests, receipt } = await resumed();
    const rules: ReceiptRules = { ...(await rulesFor(requests)), control_state_source: 'records' };
    await expect(verifyReceipt(receipt, rules)).rejects.toMatchObject({ reason: 'attested_state' });

    const recorded = requestsOf(randomUUID());
    await writeMatchingRecords(gate, recorded);
    await gate.seal(recorded.sealRequest());
    const go = await gate.rehydrate(edited(recorded.rehydrateRequest(), { remove: ['/current_state'] }));
    const recordedRules: ReceiptRules = { ...(await rulesFor(recorded)), control_state_source: 'records' };
    await expect(verifyReceipt(go.string('/receipt'), recordedRules)).resolves.toMatchObject({
      control_state_source: 'records',
    });
  });

  it('is of the frozen action, and of no other call', async () => {
    const { requests, receipt } = await resumed();
    const rules = await rulesFor(requests);
    const { idempotency_key, action_digest } = requests.envelope();
    const action = { idempotency_key, action_digest };
    await expect(verifyReceipt(receipt, { ...rules, action })).resolves.toMatchObject({ session_epoch: 1 });
    for (const other of [{ idempotency_key: 'another' }, { action_digest: 'sha256:another' }]) {
      await expect(
        verifyReceipt(receipt, { ...rules, action: { ...action, ...other } }),
      ).rejects.toMatchObject({ reason: 'other_action' });
    }
  });

  it('is fresh when a go is repeated', async () => {
    const requests = requestsOf(randomUUID());
    await gate.seal(requests.sealRequest());
    const key = { 'idempotency-key': randomUUID() };
    const first = await gate.rehydrate(requests.rehydrateRequest(), key);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const second = await gate.rehydrate(requests.rehydrateRequest(), key);
    const [one, other] = [first, second].map((answer) => decodeJwt(answer.string('/receipt')));
    expect(other?.jti).toBe(one?.jti);
    expect(other?.iat).toBeGreaterThan(one?.iat ?? Infinity);
  });
});

describe('the keys of receipts', () => {
  it('are published without their private halves, and may be kept for a while', async () => {
    const answer = await gate.get('/.well-known/jwks.json');
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    expect(answer.text).not.toContain('"d"');
  });

  it('are made once for their owner alone, and are the same after a restart', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'receipt-keys-'));
    const file = join(directory, 'made', 'receipt-keys.json');
    const both = await Promise.all([ensureReceiptKeys(file), ensureReceiptKeys(file)]);
    expect(both[0].kid).toBe(both[1].kid);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await ensureReceiptKeys(file)).kid).toBe(both[0].kid);
    await rm(directory, { recursive: true });
  });

  it('rotate: the first signs, and what the second has signed still holds', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'receipt-keys-'));
    const [oldFile, newFile, bothFile] = ['old', 'new', 'both'].map((name) =>
      join(directory, `${name}.json`),
    );
    const old = await ensureReceiptKeys(String(oldFile));
    const fresh = await ensureReceiptKeys(String(newFile));
    const keysIn = async (file: string) =>
      (JSON.parse(await readFile(file, 'utf8')) as { keys: unknown[] }).keys;
    const keys = [...(await keysIn(String(newFile))), ...(await keysIn(String(oldFile)))];
    await writeFile(String(bothFile), JSON.stringify({ keys }));
    const rotated = await readReceiptKeys(String(bothFile));
    expect(rotated.kid).toBe(fresh.kid);
    const { requests, receipt } = await resumed();
    const claims = decodeJwt<GateClaims>(receipt);
    const signedByOld = createReceiptSigner(old, signing).sign(claims);
    const rules = { ...(await rulesFor(requests)), keys: createLocalJWKSet(rotated.jwks) };
    await expect(verifyReceipt(signedByOld, rules)).resolves.toMatchObject({ session_epoch: 1 });
    await rm(directory, { recursive: true });
  });

  it.each([0o620, 0o602, 0o666, 0o777])('are refused while others may write them: mode %o', async (mode) => {
    const directory = await mkdtemp(join(tmpdir(), 'receipt-keys-'));
    const file = join(directory, 'keys.json');
    await ensureReceiptKeys(file);
    await chmod(file, mode);
    await expect(readReceiptKeys(file)).rejects.toThrow('may be written by its group or by everyone');
    await chmod(file, 0o444);
    await expect(readReceiptKeys(file)).resolves.toMatchObject({ kid: expect.any(String) as string });
    await rm(directory, { recursive: true });
  });

  it('are refused when two of them have one id', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'receipt-keys-'));
    const files = [join(directory, 'one.json'), join(directory, 'other.json')];
    await Promise.all(files.map(ensureReceiptKeys));
    const keys = await Promise.all(
      files.map(async (file) => {
        const [key] = (JSON.parse(await readFile(file, 'utf8')) as { keys: object[] }).keys;
        return { ...key, kid: 'same' };
      }),
    );
    const both = join(directory, 'both.json');
    await writeFile(both, JSON.stringify({ keys }));
    await expect(readReceiptKeys(both)).rejects.toThrow('holds two keys of one kid');
    await rm(directory, { recursive: true });
  });

  it.each([
    ['no JSON', '{'],
    ['no keys', '{"keys":[]}'],
    ['a public key', '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"b"}]}'],
    ['an RSA key', '{"keys":[{"kty":"RSA","kid":"a","n":"b","e":"c","d":"d"}]}'],
    ['a broken key', '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"b","d":"c"}]}'],
  ])('are refused in a sentence when the file holds %s', async (_what, content) => {
    const directory = await mkdtemp(join(tmpdir(), 'receipt-keys-'));
    const file = join(directory, 'keys.json');
    await writeFile(file, content);
    await expect(readReceiptKeys(file)).rejects.toThrow(/^The receipt keys are not usable: /);
    await rm(directory, { recursive: true });
  });
});

describe('a tool gateway that demands receipts', () => {
  it('carries out for the holder of the session alone', async () => {
    const gateway = toolGateway(new URL(address));
    const call = async (session: { tenant_id: string; session_id: string }, receipt: string) => {
      const { tenant_id, session_id } = session;
      const answer = await gateway.inject({
        method: 'POST',
        url: '/tools/create_ticket',
        headers: { 'continuity-receipt': receipt },
        payload: { tenant_id, session_id },
      });
      return [answer.statusCode, answer.json<unknown>()];
    };
    const { requests, answer, receipt } = await resumed();
    expect(await call(requests, receipt)).toEqual([
      200,
      { would_ask: 'the policy decision point', decision_id: answer.string('/decision_id') },
    ]);
    expect(await call(requests, 'no receipt')).toEqual([403, { refused: 'invalid' }]);
    await gate.rehydrate(requests.rehydrateRequest());
    expect(await call(requests, receipt)).toEqual([403, { refused: 'stale_epoch' }]);
    await gateway.close();
  });
});
