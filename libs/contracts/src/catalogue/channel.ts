/** Where a message of the catalogue travels: `fact`, `signal`, `control` on EVENTS, `delta` on DELTAS, `inbox` on INBOX. */
export type Channel = 'fact' | 'signal' | 'delta' | 'control' | 'inbox';
