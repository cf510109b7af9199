import type { JsonValue } from '@reins/contracts';
import { type Entry, hashJson } from '../entries/entry.ts';
import { refOf } from '../large/large-values.ts';
import { requestsBeside } from './beside-drafts.ts';
import type { RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { blobPath, RunBlobs } from './run-blobs.ts';

/** A value that an entry has by reference, whose blob is lost, and that a file for people still has: its hash proves it. */
export interface FoundValue {
  /** Of the blob, run-relative. */
  readonly path: string;
  /** Of the file that has the value, run-relative. */
  readonly from: string;
  readonly value: JsonValue;
}

/** The lost values that can be put back. A result is none: its file names the same blob. */
export function foundValues(paths: RunPaths, entries: readonly Entry[]): FoundValue[] {
  const blobs = new RunBlobs(paths);
  return entries.flatMap((entry) => {
    const ref = refOf(entry);
    if (!ref || !blobs.problemOf(ref)) return [];
    const found = valuesBeside(paths, entry).find(({ value }) => hashJson(value) === ref.sha256);
    return found ? [{ path: blobPath(ref), ...found }] : [];
  });
}

function valuesBeside(paths: RunPaths, { type, data }: Entry): Omit<FoundValue, 'path'>[] {
  switch (type) {
    case 'EFFECT_REQUESTED':
      return requestsBeside(paths, data.effectId).flatMap(({ draft, from }) =>
        draft.type === 'EFFECT_REQUESTED' ? [{ from, value: draft.data.request }] : [],
      );
    case 'RUN_CREATED':
    case 'PROCESS_ASSIGNED':
      return fileBeside(paths, 'inputs.json');
    case 'RUN_COMPLETED':
      return fileBeside(paths, 'state/output.json');
    default:
      return [];
  }
}

function fileBeside(paths: RunPaths, from: string): Omit<FoundValue, 'path'>[] {
  const value = new LegacyFiles(paths.root).json(from);
  return value === undefined ? [] : [{ from, value }];
}
