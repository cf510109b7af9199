import { type Bus, openBucket, type TypedBucket } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import { type Tree, type TreeEntry, type TreeStore, treeFromEntries } from '@reins/workspace-tree';
import { LRUCache } from 'lru-cache';
import type { WorkspaceRevision } from './workspaces.dto.ts';

interface WorkspaceHead {
  readonly revision: string;
  readonly uploadedAt: string;
}

const MAX_CACHED = 10_000;

/** Workspace revisions: content-addressed trees, and the last upload of each workspace. */
export class Workspaces {
  readonly #trees: TreeStore;
  readonly #heads: TypedBucket<WorkspaceHead>;
  /** Trees that are known to be stored. Trees never change. */
  readonly #seen = new LRUCache<string, true>({ max: MAX_CACHED });

  private constructor(trees: TreeStore, heads: TypedBucket<WorkspaceHead>) {
    this.#trees = trees;
    this.#heads = heads;
  }

  static async open(bus: Bus, trees: TreeStore): Promise<Workspaces> {
    return new Workspaces(trees, await openBucket<WorkspaceHead>(bus, 'requests'));
  }

  /** Stores the files of a workspace. Files that are already stored are not uploaded again. */
  async upload(workspaceId: string, entries: readonly TreeEntry[]): Promise<WorkspaceRevision> {
    const tree = treeFromEntries(entries);
    const before = await this.#heads.get(headKey(workspaceId));
    const { uploadedFiles } = await this.#trees.put(tree, before ? { base: [before.value.revision] } : {});
    if (before?.value.revision !== tree.treeId) {
      await this.#heads.put(headKey(workspaceId), { revision: tree.treeId, uploadedAt: new Date().toISOString() });
    }
    this.#seen.set(tree.treeId, true);
    const bytes = [...tree.manifest.values()].reduce((sum, { size }) => sum + size, 0);
    return { workspaceId, revision: tree.treeId, files: tree.manifest.size, bytes, uploadedFiles };
  }

  /**
   * The tree that a request starts from: the given revision, or the last upload of the workspace.
   * @throws ReinsError `workspace_not_found`
   */
  async resolve(workspaceId: string, revision: string | undefined): Promise<string> {
    const treeId = revision ?? (await this.#heads.get(headKey(workspaceId)))?.value.revision;
    if (treeId !== undefined && (await this.#has(treeId))) return treeId;
    throw new ReinsError({
      code: 'workspace_not_found',
      message: treeId === undefined ? `workspace ${workspaceId} has no uploads` : `revision ${treeId} is not stored`,
      path: treeId === undefined ? 'workspace.id' : 'workspace.revision',
      hint: 'Upload the workspace with POST /api/v1/workspaces.',
    });
  }

  /** @throws ReinsError `tree_not_found` */
  open(treeId: string): Promise<Tree> {
    return this.#trees.open(treeId);
  }

  async #has(treeId: string): Promise<boolean> {
    if (this.#seen.get(treeId)) return true;
    const found = await this.#trees.has(treeId);
    if (found) this.#seen.set(treeId, true);
    return found;
  }
}

const headKey = (workspaceId: string): string => `workspace.${workspaceId}`;
