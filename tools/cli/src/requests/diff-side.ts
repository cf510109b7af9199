import type { Bus } from '@reins/bus';
import { isObject } from '@reins/contracts';
import { effectKind, foldRun } from '@reins/journal';
import { pendingByKind } from '@reins/run-directory';
import { openTrees } from '@reins/service-kit/installation';
import type { CliContext } from '../context.ts';
import type { DiffSide } from '../runs/run-backend.ts';
import { type FoundRun, type LoadedRequest, readingOf, withRun } from './request-journal.ts';
import { requestRunStatus } from './request-status.ts';

/** A request as one side of a comparison. Its files are those of the stage that completed last, also of a child run. */
export function requestDiffSide(context: CliContext, requestId: string): Promise<DiffSide> {
  return withRun(context, requestId, async (found) => {
    const loaded = readingOf(found, await found.load());
    const stages = await completedStages(loaded, found.loadRun);
    const tree = stages.sort((a, b) => Date.parse(a.endedAt) - Date.parse(b.endedAt)).at(-1)?.tree;
    const pending = Object.values(pendingByKind(loaded)).reduce((sum, count) => sum + count, 0);
    const status = requestRunStatus(loaded, pending).state;
    return { run: found.run, loaded, status, files: tree === undefined ? new Map() : await filesOf(found.bus, tree) };
  });
}

interface CompletedStage {
  readonly endedAt: string;
  readonly tree: string;
}

/** The completed stages of a run and of its child runs. */
async function completedStages(
  { run, entries, state: { effects } }: Pick<LoadedRequest, 'run' | 'entries' | 'state'>,
  loadRun: FoundRun['loadRun'],
): Promise<CompletedStage[]> {
  const own = entries.flatMap((entry): CompletedStage[] => {
    if (entry.type !== 'EFFECT_RESOLVED' || entry.data.status !== 'ok') return [];
    const { effectId, value } = entry.data;
    const kind = effects.get(effectId)?.kind;
    const isStage = kind !== undefined && effectKind(kind).stageWork === 'run';
    const tree = isStage && isObject(value) ? value.tree : undefined;
    return typeof tree === 'string' ? [{ endedAt: entry.recordedAt, tree }] : [];
  });
  const children = [...effects.values()].filter(({ kind }) => effectKind(kind).resolvedBy === 'child');
  const ofChildren = await Promise.all(
    children.map(async ({ request }) => {
      const child = { ...run, runId: String(request.childRequestId) };
      const read = await loadRun(child.runId);
      return completedStages({ run: child, entries: read, state: foldRun(child, read) }, loadRun);
    }),
  );
  return [...own, ...ofChildren.flat()];
}

async function filesOf(bus: Bus, treeId: string): Promise<ReadonlyMap<string, string>> {
  const { manifest } = await (await openTrees(bus)).open(treeId);
  return new Map([...manifest].map(([path, { sha256 }]) => [path, sha256]));
}
