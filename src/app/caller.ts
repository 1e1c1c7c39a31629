/** On whose word a request is acted upon, as far as it was established before the request was read. */
export interface Caller {
  /** The token's subject, or `open`. */
  readonly actor: string;
  /** Whether this caller's account of the current state may stand in for records. */
  readonly mayAttest: boolean;
}
