import { LimitExceeded, scalarWeight, type YamlLimits } from './limits.ts';
import type { PathSegment } from './node-positions.ts';

type Path = readonly PathSegment[];

/** What an alias of a collection repeats. */
interface Extent {
  /** The number of nodes, with all aliases expanded. */
  readonly size: number;
  /** The nesting of its collections. */
  readonly height: number;
}

const LEAF: Extent = { size: 1, height: 0 };

/**
 * Whether collections are nested more than `levels` deep in a document without aliases. Its length limits the number of
 * its nodes.
 */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (!Array.isArray(value) && !isMapping(value)) return false;
  if (levels === 0) return true;
  for (const key in value) if (nestsDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/**
 * Measures a parsed document with aliases. Its aliases share values, so each value is visited once, however often it is repeated.
 */
export class Expansion {
  /** The paths of aliases that refer to the node that contains them. */
  readonly cycles: Path[] = [];
  readonly #limits: YamlLimits;
  readonly #offsetOf: (path: Path) => number;
  readonly #known = new Map<object, Extent>();
  readonly #open = new Set<object>();
  readonly #path: PathSegment[] = [];

  /** @param offsetOf where a path is in the text; called only when a limit is exceeded */
  constructor(limits: YamlLimits, offsetOf: (path: Path) => number) {
    this.#limits = limits;
    this.#offsetOf = offsetOf;
  }

  /**
   * Checks the nesting of a document, and its size with all aliases expanded. Members of the root that are never read do
   * not count.
   * @throws LimitExceeded `depth` or `expansion`
   */
  check(root: unknown, isRead: (key: string) => boolean): void {
    const whole = this.#visit(root);
    if (whole.size <= this.#limits.maxExpandedSize) return;
    let size = 1;
    for (const [key, member] of isMapping(root) ? Object.entries(root) : [[undefined, root] as const]) {
      if (key !== undefined && !isRead(key)) continue;
      size += this.#visit(member).size;
      if (size > this.#limits.maxExpandedSize) throw this.#exceeded('expansion', key === undefined ? [] : [key]);
    }
  }

  #visit(value: unknown): Extent {
    if (typeof value === 'string') return value.length < 32 ? LEAF : { size: scalarWeight(value.length), height: 0 };
    if (!Array.isArray(value) && !isMapping(value)) return LEAF;
    const known = this.#known.get(value);
    if (known) return this.#nested(known);
    if (this.#open.has(value)) return this.#cycle();
    this.#nested(LEAF);
    this.#open.add(value);
    const extent = Array.isArray(value) ? this.#items(value) : this.#members(value);
    this.#open.delete(value);
    this.#known.set(value, extent);
    return extent;
  }

  #items(items: readonly unknown[]): Extent {
    let [size, height] = [1, 0];
    for (let i = 0; i < items.length; i += 1) {
      const item = this.#at(i, items[i]);
      size += item.size;
      height = Math.max(height, item.height);
    }
    return { size, height: height + 1 };
  }

  #members(mapping: Readonly<Record<string, unknown>>): Extent {
    let [size, height] = [1, 0];
    for (const key of Object.keys(mapping)) {
      const member = this.#at(key, mapping[key]);
      size += scalarWeight(key.length) + member.size;
      height = Math.max(height, member.height);
    }
    return { size, height: height + 1 };
  }

  #at(segment: PathSegment, value: unknown): Extent {
    this.#path.push(segment);
    const extent = this.#visit(value);
    this.#path.pop();
    return extent;
  }

  #nested(extent: Extent): Extent {
    if (this.#open.size + Math.max(1, extent.height) > this.#limits.maxDepth) throw this.#exceeded('depth', this.#path);
    return extent;
  }

  #cycle(): Extent {
    this.cycles.push([...this.#path]);
    if (this.cycles.length > this.#limits.maxCycles) throw this.#exceeded('expansion', this.#path);
    return LEAF;
  }

  #exceeded(kind: 'depth' | 'expansion', path: Path): LimitExceeded {
    return new LimitExceeded(kind, this.#offsetOf(path));
  }
}

/** Mappings are plain objects. Dates and binary data are scalars. */
function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
