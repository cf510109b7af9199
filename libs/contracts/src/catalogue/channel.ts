/** Channel of a message: `fact`, `signal` and `control` on EVENTS, `delta` on DELTAS, `inbox` on INBOX. */
export type Channel = 'fact' | 'signal' | 'delta' | 'control' | 'inbox';
