import { hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@reins/contracts';

/**
 * The keys of calls within a run. A derived key follows from the kind, name and label, from the shape of the arguments,
 * and from a counter of equal calls. So calls of different shape do not shift each other. The values of the arguments
 * are verified separately.
 */
export class InvocationKeys {
  readonly #prefix: string;
  readonly #seen = new Map<string, number>();

  /** @param generation how often the process was restarted in this run */
  constructor(generation: number) {
    this.#prefix = generation === 0 ? '' : `g${generation}.`;
  }

  explicit(kind: string, key: string): string {
    return `${this.#prefix}${part(kind)}:${key}`;
  }

  derived(kind: string, name: string | undefined, label: string | undefined, args: JsonValue | undefined): string {
    const stem = `${this.#prefix}${part(kind)}.${part(name)}.${part(label)}.${shapeHash(args)}`;
    const count = this.#seen.get(stem) ?? 0;
    this.#seen.set(stem, count + 1);
    return `${stem}.${count}`;
  }
}

/** A hash of the structure of arguments, without their values. */
export function shapeHash(args: JsonValue | undefined): string {
  return args === undefined ? NO_SHAPE : shapeHashOf(canonicalJson(shapeOf(args)));
}

const shapeHashOf = (shape: string): string => hash('sha256', shape).slice(0, 12);
const NO_SHAPE = shapeHashOf('"undefined"');

/** Accepts values that JSON cannot carry, because they are rejected elsewhere. Cuts off a cycle. */
function shapeOf(value: JsonValue | undefined, within: readonly object[] = []): JsonValue {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (within.includes(value)) return 'circle';
  const here = [...within, value];
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, here));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, member === undefined ? undefined : shapeOf(member, here)]),
  );
}

const part = (text: string | undefined): string => text?.trim().replaceAll(/[^A-Za-z0-9_-]+/g, '-') || 'default';
