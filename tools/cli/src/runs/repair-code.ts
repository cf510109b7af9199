import { readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { isReinsError, type Problem, type ProcessRef } from '@reins/contracts';
import { hasCodeHash, type ProcessCode, type ProcessManifest, sha256Of } from '@reins/journal';
import { type KeptCode, type LostModule, manifestPath } from '@reins/run-directory';
import { entrypointOf } from './entrypoint.ts';
import { readAt } from './find-code.ts';
import { contradictions, keptCodeOf } from './keep-code.ts';
import type { RunHandle } from './locate.ts';

/** What a repair of the kept code did, or in a dry run would do. */
export interface CodeRepair {
  readonly restored: readonly { readonly path: string; readonly from: string }[];
  /** Run-relative paths of copies that nothing else has. */
  readonly lost: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Restores missing and changed copies of code from the original, as far as its content has the recorded hash.
 * @param processes whose code the run keeps
 */
export async function repairCode(
  handle: RunHandle,
  processes: readonly ProcessRef[],
  isDryRun: boolean,
): Promise<CodeRepair> {
  const kept = keptCodeOf(handle);
  const repairs: CodeRepair[] = [];
  for (const process of processes) {
    if ((await problemsOf(kept, process.codeHash)).length === 0) continue;
    const { path } = entrypointOf(handle, process) ?? { path: '' };
    const work = () => repairOne(kept, process.codeHash, path, isDryRun);
    repairs.push(await handle.store.exclusively(handle.run, isDryRun ? undefined : 'repair-journal', work));
  }
  return {
    restored: repairs.flatMap(({ restored }) => restored),
    lost: [...new Set(repairs.flatMap(({ lost }) => lost))],
    warnings: [...new Set(repairs.flatMap(({ warnings }) => warnings))],
  };
}

async function repairOne(kept: KeptCode, codeHash: string, path: string, isDryRun: boolean): Promise<CodeRepair> {
  const isForged = (await contradictions(kept, codeHash)).length > 0;
  const listed = isForged ? undefined : kept.manifest(codeHash);
  const known = listed ?? (await originalOf(path, codeHash))?.manifest;
  const before = await problemsOf(kept, codeHash);
  if (!known) return lostCode(before, [manifestPath(codeHash)]);
  const found = kept.lostModules(known).flatMap((module) => foundAt(path, known, module));
  const list = listed ? [] : [{ path: manifestPath(codeHash), from: path }];
  const lost = kept.lostModules(known).filter(({ file }) => !found.some((one) => one.path === file));
  if (!isDryRun) {
    for (const { sha256, content } of found) await kept.putModule(sha256, content);
    if (list.length > 0) kept.putManifest(codeHash, known);
  }
  const restored = [...list, ...found.map(({ path: copy, from }) => ({ path: copy, from }))];
  return {
    ...lostCode(
      before,
      lost.map(({ file }) => file),
    ),
    restored,
  };
}

/** The code at the path, if it is the recorded code. */
async function originalOf(path: string, codeHash: string): Promise<ProcessCode | undefined> {
  try {
    const { code } = await readAt(path);
    return hasCodeHash(code.manifest, codeHash) ? code : undefined;
  } catch (error) {
    if (isReinsError(error)) return undefined;
    throw error;
  }
}

/** A module at its original path, if its content is the recorded one. */
function foundAt(path: string, { entry }: ProcessManifest, { path: module, sha256, file }: LostModule) {
  const from = join(dirname(path), posix.relative(posix.dirname(entry), module));
  if (path === '' || !statSync(from, { throwIfNoEntry: false })?.isFile()) return [];
  const content = readFileSync(from);
  return sha256Of(content) === sha256 ? [{ path: file, from, sha256, content }] : [];
}

const problemsOf = async (kept: KeptCode, codeHash: string): Promise<Problem[]> => [
  ...kept.problems(codeHash),
  ...(await contradictions(kept, codeHash)),
];

function lostCode(problems: readonly Problem[], lost: readonly string[]): CodeRepair {
  const unrepaired = problems.filter(({ path = '' }) => lost.includes(path));
  const warnings = unrepaired.map(({ message }) => `${message}, and its original has changed or is missing`);
  return { restored: [], lost, warnings };
}
