/** Time to live of a harness offer. Its host renews it three times in this period. */
export const OFFER_TTL_MS = 15_000;
