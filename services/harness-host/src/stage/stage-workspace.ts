import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Capture, type CaptureCache, capture, materialise, type TreeStore } from '@reins/workspace-tree';
import type { RunFolder } from '../executor/run-folder.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { formatSession, parseSession } from './session-ref.ts';

/**
 * The folders of one stage run, laid out from trees and captured as trees again: its work, and the session of its executor. Both
 * travel, so that the next stage may run on another host.
 */
export class StageWorkspace {
  readonly #trees: TreeStore;
  readonly #folder: RunFolder;
  readonly #inputTree: string;
  #cache: CaptureCache | undefined;
  /** Hashes of the contents that the stage began with: they came from outside, and stay as they are. */
  #given: ReadonlySet<string> = new Set();

  constructor(trees: TreeStore, folder: RunFolder, inputTree: string) {
    this.#trees = trees;
    this.#folder = folder;
    this.#inputTree = inputTree;
  }

  /** @throws ReinsError of the trees */
  async materialiseInput(): Promise<void> {
    const tree = await this.#trees.open(this.#inputTree);
    if (!this.#folder.exists) return;
    this.#given = new Set([...tree.manifest.values()].map(({ sha256 }) => sha256));
    this.#cache = (await materialise(tree, this.#folder.workDir)).cache;
  }

  /** The executor's own id of the session that now lies in its folder; undefined where it begins a new one. */
  async restoreSession(reference: string | null | undefined): Promise<string | undefined> {
    const session = parseSession(reference);
    if (!session || !this.#folder.exists || !(await this.#trees.has(session.treeId))) return undefined;
    await materialise(await this.#trees.open(session.treeId), this.#folder.sessionDir);
    return session.nativeId;
  }

  /**
   * The id of the tree that the stage ends with, stored. What cannot be part of a tree is left out; secrets that were written into
   * files are hidden.
   * @throws ReinsError of the trees
   */
  async captureWork(redactor: Redactor): Promise<string> {
    if (!this.#folder.exists) return this.#inputTree;
    const tree = await captureRedacted(this.#folder.workDir, redactor, this.#given, this.#cache);
    // What it began with is stored.
    if (tree.treeId === this.#inputTree) return tree.treeId;
    return (await this.#trees.put(tree, { base: [this.#inputTree] })).treeId;
  }

  /** A session as it travels, stored. */
  async captureSession(nativeId: string, redactor: Redactor): Promise<string> {
    const tree = await captureRedacted(this.#folder.sessionDir, redactor, new Set());
    return formatSession({ nativeId, treeId: (await this.#trees.put(tree)).treeId });
  }
}

/** Captures a folder; first hides, in its files, the secrets in contents that were not given. */
async function captureRedacted(
  dir: string,
  redactor: Redactor,
  given: ReadonlySet<string>,
  previous?: CaptureCache,
): Promise<Capture> {
  const tree = await capture(dir, { refused: 'leave-out', ...(previous && { previous }) });
  if (!redactor.hasSecrets) return tree;
  let hidden = false;
  for (const [path, { sha256, mode }] of tree.manifest) {
    if (mode === 'link' || given.has(sha256)) continue;
    const bytes = await tree.read(path);
    const clean = redactor.bytes(bytes);
    if (clean === bytes) continue;
    await writeFile(join(dir, path), clean);
    hidden = true;
  }
  return hidden ? capture(dir, { refused: 'leave-out', previous: tree.cache }) : tree;
}
