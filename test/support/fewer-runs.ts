import fc from 'fast-check';

/** For runs of the same tests a thousand times over: what one run misses by chance, the cases kept as data don't. */
fc.configureGlobal({ numRuns: 20, endOnFailure: true });
