import { type Blobs, type Bus, inline, lastOf } from '@reins/bus';
import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import { decodeCommit } from '@reins/journal';

const STREAM = 'JOURNAL';
/** Journals looked at together. */
const AT_ONCE = 64;
const TERMINAL: ReadonlySet<string> = new Set([
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_CANCELLED',
  'RUN_HALTED',
  'RUN_ARCHIVED',
]);

/** The runs of a partition that have not ended: what a new owner brings into memory, for their deadlines' sake. */
export async function liveRuns(bus: Bus, blobs: Blobs, partition: number): Promise<RunAddress[]> {
  const info = await bus.jsm.streams.info(STREAM, { subjects_filter: `journal.${partition}.>` });
  const runs = Object.keys(info.state.subjects ?? {}).flatMap((subject) => {
    const run = parseJournalSubject(subject);
    return run ? [{ subject, run }] : [];
  });
  const live: RunAddress[] = [];
  for (let from = 0; from < runs.length; from += AT_ONCE) {
    const batch = runs.slice(from, from + AT_ONCE);
    const open = await Promise.all(batch.map(({ subject }) => isOpen(bus, blobs, subject)));
    live.push(
      ...batch.filter((_, index) => open[index]).map(({ run }) => ({ workspaceId: run.workspaceId, runId: run.runId })),
    );
  }
  return live;
}

async function isOpen(bus: Bus, blobs: Blobs, subject: string): Promise<boolean> {
  const last = await lastOf(bus, STREAM, subject);
  if (!last) return false;
  const entry = decodeCommit(await inline(blobs, last.data), subject).entries.at(-1);
  return entry !== undefined && !TERMINAL.has(entry.type);
}
