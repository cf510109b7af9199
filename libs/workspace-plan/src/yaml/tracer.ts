import type { EventType, State } from 'js-yaml';
import { LimitExceeded, scalarWeight, type YamlLimits } from './limits.ts';

/** The position of a parsed node, with its child nodes in text order. */
export interface NodeTrace {
  /** Where the parser started to look for the node, including preceding blanks and comments. */
  readonly start: number;
  end: number;
  /** The parsed value. It is compared with the value of a key to find its pair. */
  value: unknown;
  kind: string | null;
  children: NodeTrace[] | undefined;
  /** The number of nodes in it, including itself, with all aliases expanded. */
  size: number;
}

/**
 * Records the position of each node while js-yaml parses. This costs three fields per node. A second parser with a full
 * syntax tree takes several times as long as parsing itself.
 */
export class Tracer {
  readonly roots: NodeTrace[] = [];
  /** Offsets of aliases that refer to the node that contains them. */
  readonly cycles: number[] = [];
  readonly #limits: YamlLimits;
  readonly #open: NodeTrace[] = [];
  readonly #anchored = new Map<unknown, number>();

  constructor(limits: YamlLimits) {
    this.#limits = limits;
  }

  readonly listen = (event: EventType, state: State): void => {
    if (event === 'open') this.#enter(state);
    else this.#leave(state);
  };

  #enter(state: State): void {
    const node: NodeTrace = {
      start: state.position,
      end: state.position,
      value: null,
      kind: null,
      children: undefined,
      size: 1,
    };
    const parent = this.#open.at(-1);
    if (!parent) this.roots.push(node);
    else if (parent.children) parent.children.push(node);
    else parent.children = [node];
    this.#open.push(node);
    if (this.#open.length > this.#limits.maxDepth) throw new LimitExceeded('depth', state.position);
  }

  #leave(state: State): void {
    const node = this.#open.pop() as NodeTrace;
    const value: unknown = state.result;
    node.end = state.position;
    node.value = value;
    node.kind = state.kind ?? null;
    // in block context, a node is opened twice: first as a possible mapping key, which is discarded here
    if (node.kind !== 'mapping' && node.kind !== 'sequence') {
      node.children = undefined;
      node.size = this.#leafSize(node, value);
    } else if (isTrial(node)) node.children = node.children?.[0]?.children;
    if (isObject(value) && node.kind !== null && anchorOf(state) !== null) this.#anchored.set(value, node.size);
    const parent = this.#open.at(-1);
    if (!parent) return;
    parent.size += node.size;
    if (parent.size > this.#limits.maxExpandedSize) throw new LimitExceeded('expansion', node.start);
  }

  /** A node that is not a collection is a scalar or an alias. An alias counts as much as the node that it refers to. */
  #leafSize(node: NodeTrace, value: unknown): number {
    if (typeof value === 'string') return scalarWeight(value.length);
    if (node.kind !== null || !isObject(value)) return 1;
    const size = this.#anchored.get(value);
    if (size !== undefined) return size;
    // its anchor is not closed yet, so the alias refers to the node that contains it
    this.cycles.push(node.start);
    if (this.cycles.length > this.#limits.maxCycles) throw new LimitExceeded('expansion', node.start);
    return 1;
  }
}

/** Whether the only child is the same node, read as a possible mapping key. An alias of the node has no kind. */
function isTrial({ children, value, kind }: NodeTrace): boolean {
  const [child] = children ?? [];
  return children?.length === 1 && child?.value === value && child?.kind === kind;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function anchorOf(state: State): string | null {
  return (state as State & { readonly anchor: string | null }).anchor;
}
