/** What the id of every key begins with that `continuity-gate token` makes: a service that trusts one says so. */
export const developmentKeyPrefix = 'dev-';

/** The `typ` of a token that was signed with such a key. */
export const developmentTokenType = 'dev+jwt';
