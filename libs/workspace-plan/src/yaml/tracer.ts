import type { EventType, State } from 'js-yaml';
import { LimitExceeded, scalarWeight, type YamlLimits } from './limits.ts';

/** Where a node of the document stands, and which nodes stand in it, in the order of the text. */
export interface NodeTrace {
  /** Where the parser began to look for the node: blanks and comments before it are included. */
  readonly start: number;
  end: number;
  /** What the node became. A key's value is compared with this to find its pair. */
  value: unknown;
  kind: string | null;
  children: NodeTrace[] | undefined;
  /** Nodes in it, itself included, every alias written out. */
  size: number;
}

/**
 * Follows the parser node by node. Positions cost three fields a node here, and nothing else until a diagnostic asks for
 * one; a second parser that keeps a full syntax tree takes several times as long as reading itself.
 */
export class Tracer {
  readonly roots: NodeTrace[] = [];
  /** Offsets of aliases that stand inside the very node they name. */
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
    // in block context a node is opened twice, first as the would-be key of a mapping: that trial is no part of it
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

  /** What is no collection is a scalar or an alias; an alias weighs what it stands for. */
  #leafSize(node: NodeTrace, value: unknown): number {
    if (typeof value === 'string') return scalarWeight(value.length);
    if (node.kind !== null || !isObject(value)) return 1;
    const size = this.#anchored.get(value);
    if (size !== undefined) return size;
    // its anchor is not closed yet: the alias stands inside the node that it names
    this.cycles.push(node.start);
    if (this.cycles.length > this.#limits.maxCycles) throw new LimitExceeded('expansion', node.start);
    return 1;
  }
}

/** Whether the only child is the node itself, read as a would-be key. An alias of the node has no kind. */
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
