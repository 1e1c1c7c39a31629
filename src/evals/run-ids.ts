/** The fields whose values are ids of records that a tenant has once, whoever else runs the evals against it. */
const idFields = new Set([
  'session_id',
  'principal_id',
  'delegated_principal_id',
  'envelope_id',
  'approval_id',
  'idempotency_key',
  'capability_name',
  'forbids_capability',
  'exact_constraint_refs',
  'ref',
  'trace_id',
  'source_trace_id',
]);

const moment = /^now(?:([+-]\d+)([smh]))?$/;
const milliseconds = { s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * What a scenario writes plainly, as it is sent in one run: ids that no other run has, the run's tenants, and moments
 * by the gate's clock.
 */
export class RunIds {
  readonly prefix: string;
  readonly tenants: { readonly home: string; readonly other: string };
  readonly #startedAt = Date.now();
  /** How far the gate's clock is from ours; undefined until it has said so. */
  #clockOffset: number | undefined;

  constructor(prefix: string, tenants: { readonly home: string; readonly other: string }) {
    this.prefix = prefix;
    this.tenants = tenants;
  }

  /** Learns the gate's clock from the first record that it writes, once: a moment must stay the same. */
  learnClock(answer: unknown): void {
    if (this.#clockOffset !== undefined) return;
    const at =
      typeof answer === 'object' && answer !== null && 'updated_at' in answer ? answer.updated_at : '';
    const time = Date.parse(String(at));
    if (!Number.isNaN(time)) this.#clockOffset = time - Date.now();
  }

  /** A path below a tenant: its first id is the record's own, a later one is unique below that already. */
  path(tenant: 'home' | 'other', path: string): string {
    const [kind, id, ...rest] = path.split('/');
    const segments = id === undefined ? [kind] : [kind, this.#own(id), ...rest];
    return ['/tenants', this.tenants[tenant], ...segments]
      .map((segment, index) => (index === 0 ? segment : encodeURIComponent(segment ?? '')))
      .join('/');
  }

  /** A body or any part of one. */
  body(value: unknown, field = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => this.body(item, field));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.body(item, key)]));
    }
    return typeof value === 'string' ? this.#text(value, field) : value;
  }

  /** The gate's present, in milliseconds since 1970. */
  now(): number {
    return Date.now() + (this.#clockOffset ?? 0);
  }

  /** A moment such as `now+5s`, counted from the beginning of the run. */
  moment(text: string): number {
    const [, amount, unit] = moment.exec(text) ?? [];
    const distance = unit === 's' || unit === 'm' || unit === 'h' ? Number(amount) * milliseconds[unit] : 0;
    return this.#startedAt + (this.#clockOffset ?? 0) + distance;
  }

  /** The same text as the scenario writes it. */
  plain(text: string): string {
    return text.replaceAll(`${this.prefix}.`, '').replaceAll(encodeURIComponent(`${this.prefix}.`), '');
  }

  #text(value: string, field: string): string {
    if (field === 'tenant_id' && (value === 'home' || value === 'other')) return this.tenants[value];
    if (idFields.has(field) && value !== '') return this.#own(value);
    return moment.test(value) ? new Date(this.moment(value)).toISOString() : value;
  }

  #own(id: string): string {
    return `${this.prefix}.${id}`;
  }
}
