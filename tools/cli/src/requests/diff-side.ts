import type { Bus } from '@reins/bus';
import { isObject, type RunAddress } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import { pendingByKind, type StatusReport, type TaskReading } from '@reins/journal/rundir';
import { openTrees } from '@reins/service-kit/installation';
import type { CliContext } from '../context.ts';
import { withRequest } from './request-journal.ts';
import { requestRunStatus } from './request-status.ts';

/** One side of a comparison: the journal of a run, and the SHA-256 of its files by path. */
export interface DiffSide {
  readonly run: RunAddress;
  readonly reading: TaskReading;
  /** As `run:status` shows it. */
  readonly status: StatusReport['state'];
  readonly files: ReadonlyMap<string, string>;
}

/** A request as one side of a comparison. Its files are those of the tree of its last stage. */
export function requestDiffSide(context: CliContext, requestId: string): Promise<DiffSide> {
  return withRequest(context, requestId, async (reading, bus) => {
    const tree = lastTree(reading.state);
    const pending = Object.values(pendingByKind(reading)).reduce((sum, count) => sum + count, 0);
    const status = requestRunStatus(reading, pending).state;
    return { run: reading.run, reading, status, files: tree === undefined ? new Map() : await filesOf(bus, tree) };
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
