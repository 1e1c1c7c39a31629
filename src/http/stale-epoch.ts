import { Problem } from './problems.js';
import { problemMeanings } from './schemas/meanings.js';
import type { SessionEpoch } from '../app/stored.js';

/** A caller that acts for a session that someone else has resumed is told by whom, and since when. */
export function staleEpoch({ session_epoch, held_by, held_since }: SessionEpoch): Problem {
  return new Problem('stale_epoch', problemMeanings.stale_epoch, {
    extension: { session_epoch, held_by, held_since },
  });
}
