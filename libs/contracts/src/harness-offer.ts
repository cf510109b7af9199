/** How long an offer stands that its host does not renew; it renews it three times as often. */
export const OFFER_TTL_MS = 15_000;
