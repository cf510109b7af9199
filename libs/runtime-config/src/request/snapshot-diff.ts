import { canonicalJson } from '@reins/contracts';

/** A difference between two values. A missing side is absent. */
export interface Difference {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The differences between two snapshots or other JSON values, ordered by path. List items are compared by position. */
export function diffJson(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => {
      const inner = Array.isArray(before) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      return diffJson(own(before, key), own(after, key), inner);
    });
  }
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ path, after }];
  if (after === undefined) return [{ path, before }];
  return canonicalJson(before) === canonicalJson(after) ? [] : [{ path, before, after }];
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function own(container: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(container, key) ? container[key] : undefined;
}
