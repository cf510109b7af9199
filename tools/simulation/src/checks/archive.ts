import { journalSubject } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { PARTITIONS } from '../world/settings.ts';
import { about, type Check } from './common.ts';

/** Every read of a journal returns exactly what was written: before, during and after archiving. */
export const readers: Check = ({ mismatches }) =>
  mismatches.map(({ message, run }) => about(run.runId, `a reader: ${message}`));

/** An ended run has only a stub in the stream, unless two consecutive sweeps found its end unpublished. */
export const archived: Check = ({ archives, evidence, server, unsettled }) =>
  [...evidence.journals.values()].flatMap(({ entries, run }) => {
    const stubs = entries.filter(isStub).length;
    if (stubs > 1) return [about(run.runId, `it has ${stubs} stubs`)];
    if (!archives || unsettled !== undefined || server.unarchivedRuns.has(run.runId)) return [];
    const left = server.journals.read(journalSubject(run, PARTITIONS)).length;
    if (stubs === 0) return [about(run.runId, 'it has ended and is not archived')];
    return left === 1 ? [] : [about(run.runId, `${left - 1} commits are left next to its stub`)];
  });

/** What the stream keeps of an archived run. */
export const isStub = ({ type }: Entry): boolean => type === 'RUN_ARCHIVED';
