/** The mechanism that confines children on a host. */
export type Backend = 'bubblewrap' | 'landlock' | 'none';

/** A protection that the host does not provide. */
export interface MissingIsolation {
  readonly what: string;
  readonly reason: string;
  /** What an operator can do to get it. */
  readonly hint: string;
}

/** How children are isolated on this host. */
export interface Isolation {
  readonly backend: Backend;
  /** Absolute path of the program that sets up the isolation. Empty for `none`. */
  readonly program: string;
  readonly lacks: readonly MissingIsolation[];
}
