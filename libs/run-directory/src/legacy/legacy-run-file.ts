import { defined, isObject, isToken, type JsonObject, type RunAddress } from '@reins/contracts';
import { prettyJson, readIfExists, replaceFile } from '../store/files.ts';
import { BYTE_ORDER_MARK, type EntryFile, isOwnEntry, isProblem, jsonOf } from '../store/journal-files.ts';
import { LEGACY_LAYOUT_VERSION, type RunPaths } from '../store/layout.ts';
import { type LegacyEvent, legacyEventOf } from './legacy-files.ts';

/**
 * Whether babysitter wrote this journal, whatever `run.json` says: its first readable entry creates a run, and Reins
 * wrote no entry.
 */
export function isLegacyJournal(files: readonly EntryFile[]): boolean {
  const [first] = eventsIn(files);
  return first?.type === 'RUN_CREATED' && !files.some((file) => isOwnFile(file));
}

function isOwnFile(file: EntryFile): boolean {
  const value = jsonOf(file);
  return !isProblem(value) && isOwnEntry(value);
}

function eventsIn(files: readonly EntryFile[]): (LegacyEvent & { readonly sdkVersion?: string })[] {
  return files.flatMap((file) => {
    const value = jsonOf(file);
    if (isProblem(value)) return [];
    const event = legacyEventOf(file, value);
    return 'code' in event
      ? []
      : [{ ...event, ...(typeof value.sdkVersion === 'string' && { sdkVersion: value.sdkVersion }) }];
  });
}

/** The address of a babysitter run, by its first entry. */
export function legacyAddress(files: readonly EntryFile[], given: RunAddress): RunAddress {
  const [first] = eventsIn(files);
  return isToken(first?.data.runId) ? { ...given, runId: first.data.runId } : given;
}

/**
 * Restores the `run.json` of a babysitter run from its journal and from the readable part of the old file.
 * @param label suffix of the kept copy: `run.json.<label>`
 */
export function restoreLegacyRunFile(paths: RunPaths, files: readonly EntryFile[], label: string): void {
  const before = readIfExists(paths.run);
  if (before !== undefined) replaceFile(`${paths.run}.${label}`, before, { durable: true });
  const events = eventsIn(files);
  const [created] = events;
  const assigned = events.findLast(({ type }) => type === 'PROCESS_ASSIGNED');
  const { inputsRef: _, ...createdData } = created?.data ?? {};
  const { entrypoint = createdData.entrypoint, processCodeHash = createdData.processCodeHash } = assigned?.data ?? {};
  const { importPath } = isObject(entrypoint) ? (entrypoint as JsonObject) : {};
  const restored = {
    ...createdData,
    ...(entrypoint !== undefined && { entrypoint, processPath: importPath ?? null }),
    ...defined({ processCodeHash }),
    ...(created?.sdkVersion !== undefined && { sdkVersion: created.sdkVersion }),
  };
  const known = { request: createdData.processId, createdAt: created?.recordedAt, ...readableIn(before ?? '') };
  replaceFile(paths.run, prettyJson({ ...known, ...restored, layoutVersion: LEGACY_LAYOUT_VERSION }), {
    durable: true,
  });
}

/** The whole object, if only a byte order mark precedes it; otherwise the strings on lines of their own. */
function readableIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
    return isObject(value) ? (value as JsonObject) : {};
  } catch {
    const lines = text.matchAll(/^ {2}"([A-Za-z]+)": "([^"\\]*)",?$/gm);
    return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
  }
}
