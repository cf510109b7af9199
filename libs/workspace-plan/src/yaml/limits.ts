/** Limits of a YAML document. No input takes much time or memory. */
export interface YamlLimits {
  /** The maximum length of one document in UTF-16 code units. */
  readonly maxLength: number;
  /**
   * The maximum nesting of collections, with all aliases expanded. The parser is recursive; a stack of the usual size
   * allows about twice as much.
   */
  readonly maxDepth: number;
  /** The maximum number of nodes with all aliases expanded. Long scalars count by their length. */
  readonly maxExpandedSize: number;
  /**
   * The maximum number of aliases that refer to the node that contains them. One makes the document invalid, but
   * reading continues up to this limit.
   */
  readonly maxCycles: number;
}

export const YAML_LIMITS: YamlLimits = {
  maxLength: 1024 * 1024,
  maxDepth: 1000,
  maxExpandedSize: 1_000_000,
  maxCycles: 4,
};

export type LimitKind = 'length' | 'depth' | 'expansion';

/** Thrown when a limit is exceeded. */
export class LimitExceeded extends Error {
  readonly kind: LimitKind;
  readonly offset: number;

  constructor(kind: LimitKind, offset: number) {
    super(kind);
    this.kind = kind;
    this.offset = offset;
  }
}

/** The weight of a scalar. A long text that is repeated by aliases counts like many nodes. */
export function scalarWeight(length: number): number {
  return 1 + (length >>> 5);
}
