import type { JsonValue } from '@reins/contracts';
import { type Entry, hashJson, refOf } from '@reins/journal';
import { LegacyFiles } from '../legacy/legacy-files.ts';
import type { RunPaths } from '../store/layout.ts';
import { blobPath, RunBlobs } from '../values/run-blobs.ts';
import { requestsFromTask } from './file-drafts.ts';

/** A value whose blob is lost but which another file still has, proven by its hash. */
export interface FoundValue {
  /** Run-relative path of the blob. */
  readonly path: string;
  /** Run-relative path of the file that has the value. */
  readonly from: string;
  readonly value: JsonValue;
}

/** Finds lost values that can be restored. Results cannot, because their file has the same reference. */
export function foundValues(paths: RunPaths, entries: readonly Entry[]): FoundValue[] {
  const blobs = new RunBlobs(paths);
  return entries.flatMap((entry) => {
    const ref = refOf(entry);
    if (!ref || !blobs.problemOf(ref)) return [];
    const found = valuesFromFiles(paths, entry).find(({ value }) => hashJson(value) === ref.sha256);
    return found ? [{ path: blobPath(ref), ...found }] : [];
  });
}

function valuesFromFiles(paths: RunPaths, { type, data }: Entry): Omit<FoundValue, 'path'>[] {
  switch (type) {
    case 'EFFECT_REQUESTED':
      return requestsFromTask(paths, data.effectId).flatMap(({ draft, from }) =>
        draft.type === 'EFFECT_REQUESTED' ? [{ from, value: draft.data.request }] : [],
      );
    case 'RUN_CREATED':
    case 'PROCESS_ASSIGNED':
      return valueFromFile(paths, 'inputs.json');
    case 'RUN_COMPLETED':
      return valueFromFile(paths, 'state/output.json');
    default:
      return [];
  }
}

function valueFromFile(paths: RunPaths, from: string): Omit<FoundValue, 'path'>[] {
  const value = new LegacyFiles(paths.root).json(from);
  return value === undefined ? [] : [{ from, value }];
}
