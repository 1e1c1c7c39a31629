/**
 * What every answer says to those on its way: it is of this moment and this caller, so that nobody keeps it, and it is of
 * the type that it says. The public keys alone may be kept, and say so themselves.
 */
export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
