import type { Bus } from '@reins/bus';
import { isObject, type RunAddress } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import type { LoadedTasks } from '@reins/journal/rundir';
import { openTrees } from '@reins/service-kit/installation';
import type { CliContext } from '../context.ts';
import { withRequest } from './request-journal.ts';

/** One side of a comparison: the journal of a run, and the SHA-256 of its files by path. */
export interface DiffSide {
  readonly run: RunAddress;
  readonly loaded: LoadedTasks;
  readonly files: ReadonlyMap<string, string>;
}

/** A request as one side of a comparison. Its files are those of the tree of its last stage. */
export function requestDiffSide(context: CliContext, requestId: string): Promise<DiffSide> {
  return withRequest(context, requestId, async (loaded, bus) => {
    const tree = lastTree(loaded.state);
    return { run: loaded.run, loaded, files: tree === undefined ? new Map() : await filesOf(bus, tree) };
  });
}

function lastTree({ effects }: RunState): string | undefined {
  const trees = [...effects.values()].flatMap(({ kind, result }) =>
    kind === 'stage' && result?.status === 'ok' && isObject(result.value) ? [result.value.tree] : [],
  );
  return trees.findLast((tree) => typeof tree === 'string');
}

async function filesOf(bus: Bus, treeId: string): Promise<ReadonlyMap<string, string>> {
  const { manifest } = await (await openTrees(bus)).open(treeId);
  return new Map([...manifest].map(([path, { sha256 }]) => [path, sha256]));
}
