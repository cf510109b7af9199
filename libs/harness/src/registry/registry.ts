import { assertToken, type Problem, ReinsError } from '@reins/contracts';
import type { HarnessAdapter } from '../contract.ts';
import type { NamedRuntime } from './named-runtimes.ts';

/** The runtimes of this installation, by id. */
export interface HarnessRegistry {
  readonly runtimeIds: readonly string[];
  /** @throws ReinsError `harness_unknown`, with the known ids in its hint */
  get(runtimeId: string): HarnessAdapter;
  has(runtimeId: string): boolean;
}

/** @throws ReinsError `token_invalid` when an id is not a subject token; TypeError for a duplicate id */
export function createRegistry(adapters: readonly HarnessAdapter[]): HarnessRegistry {
  const byId = new Map<string, HarnessAdapter>();
  for (const adapter of adapters) {
    const id = assertToken(adapter.runtimeId, 'runtimeId');
    if (byId.has(id)) throw new TypeError(`two adapters have the runtime id ${id}`);
    byId.set(id, adapter);
  }
  const runtimeIds = [...byId.keys()].sort();
  return {
    runtimeIds,
    has: (id) => byId.has(id),
    get: (id) => byId.get(id) ?? unknown(id, runtimeIds),
  };
}

function unknown(runtimeId: string, known: readonly string[]): never {
  throw new ReinsError(unknownRuntime({ runtimeId, path: 'runtimeId' }, known));
}

/** The problem `harness_unknown` of a setting or value that names a runtime. `known` are the ids to choose from. */
export function unknownRuntime({ runtimeId, path }: NamedRuntime, known: readonly string[]): Problem {
  return {
    code: 'harness_unknown',
    message: `unknown runtime ${JSON.stringify(runtimeId)}`,
    path,
    hint: `Use one of these runtimes: ${known.join(', ') || 'none'}.`,
  };
}
