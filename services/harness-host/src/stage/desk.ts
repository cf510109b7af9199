import { type CaptureCache, capture, materialise, type TreeStore } from '@reins/workspace-tree';
import type { RunFolder } from '../executor/run-folder.ts';
import { formatSession, parseSession } from './session-ref.ts';

/**
 * The folders of one stage run, laid out from trees and captured as trees again: its work, and the session of its executor. Both
 * travel, so that the next stage may run on another host.
 */
export class Desk {
  readonly #trees: TreeStore;
  readonly #folder: RunFolder;
  readonly #inputTree: string;
  #cache: CaptureCache | undefined;

  constructor(trees: TreeStore, folder: RunFolder, inputTree: string) {
    this.#trees = trees;
    this.#folder = folder;
    this.#inputTree = inputTree;
  }

  /** @throws ReinsError of the trees */
  async layOut(): Promise<void> {
    const tree = await this.#trees.open(this.#inputTree);
    if (!this.#folder.exists) return;
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
   * The id of the tree that the stage ends with, stored. What cannot be part of a tree is left out.
   * @throws ReinsError of the trees
   */
  async captureWork(): Promise<string> {
    if (!this.#folder.exists) return this.#inputTree;
    const previous = this.#cache;
    const tree = await capture(this.#folder.workDir, { refused: 'leave-out', ...(previous && { previous }) });
    // What it began with is stored.
    if (tree.treeId === this.#inputTree) return tree.treeId;
    return (await this.#trees.put(tree, { base: [this.#inputTree] })).treeId;
  }

  /** A session as it travels, stored. */
  async captureSession(nativeId: string): Promise<string> {
    const tree = await capture(this.#folder.sessionDir, { refused: 'leave-out' });
    return formatSession({ nativeId, treeId: (await this.#trees.put(tree)).treeId });
  }
}
