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
  readonly #anchored = new Map<unknown, Anchored>();
  /** The nodes that all aliases copied so far, when only their direct members count. */
  #copied = 0;

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
    if (isObject(value) && node.kind !== null && anchorOf(state) !== null)
      this.#anchored.set(value, { size: node.size, members: membersIn(node) });
    const parent = this.#open.at(-1);
    if (!parent) return;
    parent.size += node.size;
  }

  /** A node that is not a collection is a scalar or an alias. An alias counts as much as the node that it refers to. */
  #leafSize(node: NodeTrace, value: unknown): number {
    if (typeof value === 'string') return scalarWeight(value.length);
    if (node.kind !== null || !isObject(value)) return 1;
    const anchored = this.#anchored.get(value);
    if (anchored) return this.#copy(anchored, node);
    // its anchor is not closed yet, so the alias refers to the node that contains it
    this.cycles.push(node.start);
    if (this.cycles.length > this.#limits.maxCycles) throw new LimitExceeded('expansion', node.start);
    return 1;
  }

  /** The parser itself copies the direct members of an alias that it merges or uses as a key, so their sum is limited. */
  #copy({ size, members }: Anchored, node: NodeTrace): number {
    this.#copied += members;
    if (this.#copied > this.#limits.maxExpandedSize) throw new LimitExceeded('expansion', node.start);
    return size;
  }
}

/** The sizes of an anchored node: with all aliases expanded, and of its direct members. */
interface Anchored {
  readonly size: number;
  readonly members: number;
}

const membersIn = ({ children = [] }: NodeTrace): number =>
  children.reduce((sum, { value }) => sum + (typeof value === 'string' ? scalarWeight(value.length) : 1), 1);

/**
 * Checks the size of a document with all aliases expanded. Members of the root that are never read do not count.
 * @throws LimitExceeded `expansion`
 */
export function checkExpansion(
  root: NodeTrace,
  isRead: (key: string) => boolean,
  { maxExpandedSize }: YamlLimits,
): void {
  if (root.size <= maxExpandedSize) return;
  const unread = unreadMembers(root, isRead);
  let size = 1;
  for (const child of root.children ?? []) {
    if (!unread.has(child.value)) size += child.size;
    if (size > maxExpandedSize) throw new LimitExceeded('expansion', child.start);
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

/** The members of the root that are never read. A read member that was merged into the root may be part of any other. */
function unreadMembers({ value, children = [] }: NodeTrace, isRead: (key: string) => boolean): ReadonlySet<unknown> {
  const members = isObject(value) && !Array.isArray(value) ? Object.entries(value) : [];
  const read = new Set(members.filter(([key, member]) => isRead(key) && isObject(member)).map(([, member]) => member));
  const written = new Set(children.map((child) => child.value));
  if ([...read].some((member) => !written.has(member))) return new Set();
  return new Set(members.map(([, member]) => member).filter((member) => isObject(member) && !read.has(member)));
}
