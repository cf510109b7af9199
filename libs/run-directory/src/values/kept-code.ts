import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isReinsError, type JsonObject, type Problem, type ProcessRef } from '@reins/contracts';
import {
  type Entry,
  hasCodeHash,
  type ProcessCode,
  type ProcessManifest,
  parseManifest,
  recordedCode,
  sha256Of,
} from '@reins/journal';
import {
  createFile,
  isErrno,
  prettyJson,
  readRegular,
  removeUnfinished,
  replaceFile,
  syncDirectory,
  syncFile,
} from '../store/files.ts';
import type { RunPaths } from '../store/layout.ts';

/** The metadata field of a run that keeps the code of each of its processes. Older runs do not have it. */
export const KEEPS_CODE = 'keepsCode';

/** The folder of the modules, in `process/`. */
const CONTENTS = 'sha256';

/**
 * The code of a run's processes, in the run directory: `process/<hash>.json` lists the modules of the code with that
 * hash, and `process/sha256/<hash>` is the file of a module. The run can continue where its original code is missing.
 */
export class KeptCode {
  readonly #paths: RunPaths;

  constructor(paths: RunPaths) {
    this.#paths = paths;
  }

  /**
   * Keeps code. It is durable when this returns. The caller holds the lock of the run.
   * @param recorded the hash of the code in the journal
   */
  async put(recorded: string, { manifest, contents }: ProcessCode): Promise<void> {
    if (this.problems(recorded).length === 0) return;
    const folder = join(this.#paths.process, CONTENTS);
    const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
    await removeUnfinished([folder]);
    for (const [sha256, content] of contents) await this.#putContent(join(folder, sha256), sha256, content, folder);
    syncDirectory(folder);
    this.putManifest(recorded, manifest);
    if (isNew) syncDirectory(this.#paths.root);
  }

  /** Restores the list of the modules. The caller holds the lock of the run. */
  putManifest(recorded: string, manifest: ProcessManifest): void {
    replaceFile(join(this.#paths.root, manifestPath(recorded)), prettyJson(manifest), { durable: true });
  }

  /** Restores one module. The caller holds the lock of the run. */
  async putModule(sha256: string, content: Uint8Array): Promise<void> {
    const folder = join(this.#paths.process, CONTENTS);
    mkdirSync(folder, { recursive: true });
    await this.#putContent(join(folder, sha256), sha256, content, folder);
    syncDirectory(folder);
  }

  async #putContent(path: string, sha256: string, content: Uint8Array, folder: string): Promise<void> {
    const isTaken = !createFile(path, content, folder, false);
    if (isTaken && hashAt(path) !== sha256) replaceFile(path, content, { durable: false });
    await syncFile(path);
  }

  /** The folder that stands for the folder of a kept process. */
  get folder(): string {
    return this.#paths.process;
  }

  /** Whether there is a copy of this code, whole or not. */
  has(recorded: string): boolean {
    return contentAt(join(this.#paths.root, manifestPath(recorded))) !== undefined;
  }

  /**
   * The hash of the copy for a recorded hash. Old journals of babysitter recorded none: then the only copy is meant.
   * Undefined without a copy.
   */
  copyOf(recorded: string): string | undefined {
    if (this.has(recorded) || isHash(recorded)) return this.has(recorded) ? recorded : undefined;
    const [only, ...others] = namesIn(this.#paths.process).flatMap(
      (name) => /^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? [],
    );
    return others.length === 0 ? only : undefined;
  }

  /** The list of the modules; undefined when it is missing or was changed. */
  manifest(recorded: string): ProcessManifest | undefined {
    const manifest = parseManifest(jsonAt(join(this.#paths.root, manifestPath(recorded))));
    return manifest && hasCodeHash(manifest, recorded) ? manifest : undefined;
  }

  /** The kept code; undefined when it is missing, or does not match its hashes. */
  read(recorded: string): ProcessCode | undefined {
    const manifest = this.manifest(recorded);
    if (!manifest) return undefined;
    const contents = new Map<string, Uint8Array>();
    for (const { sha256 } of Object.values(manifest.modules)) {
      const content = contentAt(join(this.#paths.root, contentPath(sha256)));
      if (!content || sha256Of(content) !== sha256) return undefined;
      contents.set(sha256, content);
    }
    return { manifest, contents };
  }

  /** What is wrong with the copy of this code. */
  problems(recorded: string): Problem[] {
    const manifest = this.manifest(recorded);
    if (!manifest) {
      const path = manifestPath(recorded);
      return [lost(path, `the list of the process's modules ${this.has(recorded) ? CHANGED : MISSING}`)];
    }
    return this.lostModules(manifest).map(({ path, file, isMissing }) =>
      lost(file, `the copy of the module ${path} ${isMissing ? MISSING : CHANGED}`),
    );
  }

  /** The modules whose copy is missing or was changed. */
  lostModules({ modules }: ProcessManifest): LostModule[] {
    return Object.entries(modules).flatMap(([path, { sha256 }]) => {
      const file = contentPath(sha256);
      const hash = hashAt(join(this.#paths.root, file));
      return hash === sha256 ? [] : [{ path, sha256, file, isMissing: hash === undefined }];
    });
  }
}

/** A module whose copy is missing or was changed. */
export interface LostModule {
  /** Its path in the process. */
  readonly path: string;
  readonly sha256: string;
  /** The path of the copy in the run directory. */
  readonly file: string;
  readonly isMissing: boolean;
}

/**
 * The processes whose code a run directory should keep: all of them, or for an older run those that it has a copy of.
 */
export function codeToKeep(paths: RunPaths, entries: readonly Entry[]): ProcessRef[] {
  const [first] = entries;
  const metadata: JsonObject = (first?.type === 'RUN_CREATED' && first.data.metadata) || {};
  const kept = new KeptCode(paths);
  return recordedCode(entries).filter(({ codeHash }) => metadata[KEEPS_CODE] === true || kept.has(codeHash));
}

/** Checks the kept code of a run. */
export function codeProblems(paths: RunPaths, entries: readonly Entry[]): Problem[] {
  const kept = new KeptCode(paths);
  return codeToKeep(paths, entries).flatMap(({ codeHash }) => kept.problems(codeHash));
}

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The run-relative path of the list of modules. */
export const manifestPath = (recorded: string): string => `process/${recorded}.json`;

const contentPath = (sha256: string): string => `process/${CONTENTS}/${sha256}`;

const MISSING = 'is missing';
const CHANGED = 'does not match its hash';

const lost = (path: string, reason: string): Problem => ({
  code: 'journal_corrupt',
  message: `${path}: ${reason}`,
  path,
  hint: 'Restore it with run:repair-journal while the process is at its original path, or from a copy of the run.',
});

function hashAt(path: string): string | undefined {
  const content = contentAt(path);
  return content && sha256Of(content);
}

/** Undefined when there is no such file, or something else in its place. */
function contentAt(path: string): Buffer | undefined {
  try {
    return readRegular(path);
  } catch (error) {
    if (isReinsError(error) || isErrno(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined;
    throw error;
  }
}

function jsonAt(path: string): unknown {
  try {
    return JSON.parse(contentAt(path)?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
