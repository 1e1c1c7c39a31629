import { InvalidArgumentError, type Command } from 'commander';

import { isClaimId } from '../http/auth/verify-token.js';
import { developmentTokenType } from '../http/auth/development-keys.js';
import { isScope, scopeMeanings, scopes, type Scope } from '../http/auth/scopes.js';

interface TokenOptions {
  readonly keyFile: string;
  readonly subject: string;
  readonly tenant: readonly string[];
  readonly principal?: readonly string[];
  readonly scope: readonly Scope[];
  readonly ttl: number;
  readonly issuer: string;
  readonly audience: string;
}

/** `continuity-gate token`: tokens to try the service with, where there is no identity provider yet. */
export function addToken(program: Command): void {
  program
    .command('token')
    .summary('mint a token for development')
    .description(
      `Prints a bearer token, signed with a key of its own: never for production, where an identity provider's keys belong in AUTH_JWKS_URL or AUTH_JWKS_FILE.

The key file is made on first use, for its owner alone, and beside it FILE.jwks.json with the public half, for AUTH_JWKS_FILE. Token and key are marked: the token's typ is ${developmentTokenType}, the key's id begins with dev-, and a service that trusts such a key warns of it.`,
    )
    .requiredOption('--key-file <file>', 'the private key, made if it is not there')
    .requiredOption('--subject <id>', 'who calls', readId)
    .requiredOption('--tenant <id...>', 'the tenants that it may touch', readIds)
    .option('--principal <id...>', 'the principals that it may speak for (default: any)', readIds)
    .requiredOption(
      '--scope <scope...>',
      `what it may do:
${scopeList}`,
      readScopes,
    )
    .option('--ttl <seconds>', 'how long it lives', readSeconds, 3_600)
    .option('--issuer <issuer>', 'its iss, for AUTH_ISSUER', 'continuity-gate-development')
    .option('--audience <audience>', 'its aud, for AUTH_AUDIENCE', 'continuity-gate')
    .addHelpText('after', examples)
    .action(async (options: TokenOptions, command: Command) => {
      console.log(await mintToken(options, command));
    });
}

async function mintToken(options: TokenOptions, command: Command): Promise<string> {
  const { keyFile, subject, tenant, principal, scope, ttl, issuer, audience } = options;
  // Only here: no other command needs them.
  const [{ SignJWT }, { DevelopmentKeyError, ensureDevelopmentKey }] = await Promise.all([
    import('jose'),
    import('./development-key.js'),
  ]);
  try {
    const { kid, signingKey, publicFile } = await ensureDevelopmentKey(keyFile);
    const token = await new SignJWT({
      tenants: tenant,
      ...(principal && { principals: principal }),
      scope: scope.join(' '),
    })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: developmentTokenType })
      .setSubject(subject)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1_000) + ttl)
      .sign(signingKey);
    console.error(
      `For development only. The service takes it with AUTH_JWKS_FILE=${publicFile} AUTH_ISSUER=${issuer} AUTH_AUDIENCE=${audience}`,
    );
    return token;
  } catch (error) {
    if (!(error instanceof DevelopmentKeyError)) throw error;
    return command.error(`No token was made: ${error.message}.`, { exitCode: 1, code: 'no_token' });
  }
}

function readIds(text: string, others: readonly string[] = []): string[] {
  return [...others, readId(text)];
}

function readId(text: string): string {
  if (isClaimId(text)) return text;
  throw new InvalidArgumentError(
    'An id has 1 to 512 characters, no control character, and no space around it.',
  );
}

function readScopes(text: string, others: readonly Scope[] = []): Scope[] {
  if (isScope(text)) return [...others, text];
  throw new InvalidArgumentError(`The scopes are ${scopes.join(', ')}.`);
}

/** A token that outlives its purpose by years is one that gets lost. */
const longestLife = 30 * 24 * 60 * 60;

function readSeconds(text: string): number {
  const seconds = /^[1-9]\d{0,7}$/.test(text) ? Number(text) : Infinity;
  if (seconds <= longestLife) return seconds;
  throw new InvalidArgumentError(`A life is a number of seconds from 1 to ${longestLife}.`);
}

const scopeList = Object.entries(scopeMeanings)
  .map(([scope, meaning]) => `${scope}: ${meaning}`)
  .join('\n');

const examples = `
Try:
  continuity-gate token --key-file .data/dev-key.json --subject runtime-1 --tenant acme \\
    --scope envelopes:write rehydrate

Exit status: 0; 1 when the key can not be made or read; 2 for a malformed option.`;
