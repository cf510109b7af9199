/** How children are confined on a host. */
export type Backend = 'bubblewrap' | 'landlock' | 'none';

/** Something that the wall of a host does not do. */
export interface Lack {
  readonly what: string;
  readonly reason: string;
  /** What an operator can do about it. */
  readonly hint: string;
}

/** The wall of a host. */
export interface Wall {
  readonly backend: Backend;
  /** The program that makes it: absolute path. Empty for none. */
  readonly program: string;
  readonly lacks: readonly Lack[];
}
