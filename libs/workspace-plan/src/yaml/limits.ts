/** What a document may cost. Everything above is refused before it can take time or memory. */
export interface YamlLimits {
  /** UTF-16 code units of one document. */
  readonly maxLength: number;
  /** Nesting of collections. The parser recurses: a stack of the usual size bears about twice as much. */
  readonly maxDepth: number;
  /** Nodes of the document with every alias written out, long scalars counted by their length. */
  readonly maxExpandedSize: number;
  /** Aliases that stand inside the node they name. One is enough to refuse the document, but it is still read as far as it goes. */
  readonly maxCycles: number;
}

export const YAML_LIMITS: YamlLimits = {
  maxLength: 1024 * 1024,
  maxDepth: 1000,
  maxExpandedSize: 1_000_000,
  maxCycles: 4,
};

export type LimitKind = 'length' | 'depth' | 'expansion';

/** Thrown out of the parser when a limit is reached, so that nothing after it is read. */
export class LimitExceeded extends Error {
  readonly kind: LimitKind;
  readonly offset: number;

  constructor(kind: LimitKind, offset: number) {
    super(kind);
    this.kind = kind;
    this.offset = offset;
  }
}

/** What a scalar of this length counts: a long text that is repeated by alias is as heavy as many nodes. */
export function scalarWeight(length: number): number {
  return 1 + (length >>> 5);
}
