import { recordsOfTenant } from '../../../support/records.js';
import { holdAnswer } from './hold-answer.js';
import { put, type Put } from './store.js';
import { command, defined, tenantIn, type ModelCommand } from './world.js';

/** The entity tag that is sent along: of the present revision, of another one, or of any. */
export type IfMatch = 'current' | 'another' | '*' | undefined;

/** Writes a record. */
export function putRecord(tenantName: string, write: Omit<Put, 'ifMatch'>, match?: IfMatch): ModelCommand {
  const { path, body, session_epoch } = write;
  const told = `put ${tenantName} ${path} ${JSON.stringify(body)} ${session_epoch ?? ''} ${match ?? ''}`;
  return command(told, async (model, real) => {
    const tenant = tenantIn(model, tenantName);
    const revision = tenant.records.get(path)?.revision ?? 1;
    const ifMatch = match === 'current' ? revision : match === 'another' ? revision + 1 : match;
    const expected = put(tenant, { ...write, body: defined(body), ifMatch });

    const answer = await recordsOfTenant(real.gate, real.prefix + tenantName).put(
      path,
      { ...body, session_epoch },
      ifMatch === undefined ? {} : { 'if-match': ifMatch === '*' ? '*' : `"${ifMatch}"` },
    );

    holdAnswer('put', answer, expected, real);
  });
}
