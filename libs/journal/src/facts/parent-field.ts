import { defined, type JsonObject, type ParentRef } from '@reins/contracts';
import type { RunState } from '../state/run-state.ts';

/** The request at the top of nested runs. Undefined where an earlier build did not record it. */
export function rootRequestId({ requestId, depth, rootRequestId: root }: ParentRef): string | undefined {
  return root ?? (depth === 1 ? requestId : undefined);
}

/** The field `parent` of the first fact of a child run; nothing for a top-level request. */
export function parentField({ parent }: RunState): JsonObject {
  if (!parent) return {};
  const root = rootRequestId(parent);
  return { parent: { ...parent, ...defined({ rootRequestId: root }) } };
}
