import { canonicalDigest } from '../digest.js';

/** What governed storage froze beside an envelope when it was sealed. */
export interface FrozenAtSealing {
  readonly envelope_sha256: string;
  /** Running digest of the session's event log at the range's last event; null where there was no log. */
  readonly lineage_sha256: string | null;
  /** Digest of each referenced constraint that governed storage held, by reference. */
  readonly constraint_digests: Readonly<Record<string, string>>;
}

/** An envelope as the store holds it, with the keys that it is held under. */
export interface SealedEnvelope extends FrozenAtSealing {
  readonly tenant_id: string;
  readonly envelope_id: string;
  /** Its JSON: of whichever version it was sealed in, which this gate need not know. */
  readonly envelope: unknown;
}

/** The envelope's digest: over its canonical JSON, absent optional fields left out. */
export function envelopeDigest(envelope: unknown): string {
  return canonicalDigest(envelope);
}
