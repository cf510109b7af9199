import { type Bus, openBucket, type TypedBucket } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import { openTrees } from '@reins/service-kit';
import { type Tree, type TreeEntry, type TreeStore, treeFromEntries } from '@reins/workspace-tree';
import type { WorkspaceRevision } from './workspaces.dto.ts';

interface WorkspaceHead {
  readonly revision: string;
  readonly uploadedAt: string;
}

const MAX_REMEMBERED = 10_000;

/** Workspace revisions: trees by their content, and which one of a workspace came last. */
export class Workspaces {
  readonly #trees: TreeStore;
  readonly #heads: TypedBucket<WorkspaceHead>;
  /** Trees that were seen in the store: they never change and are not asked for again. */
  readonly #seen = new Set<string>();

  private constructor(trees: TreeStore, heads: TypedBucket<WorkspaceHead>) {
    this.#trees = trees;
    this.#heads = heads;
  }

  static async open(bus: Bus): Promise<Workspaces> {
    return new Workspaces(await openTrees(bus), await openBucket<WorkspaceHead>(bus, 'requests'));
  }

  /** Stores a folder. The same files again upload nothing. */
  async upload(workspaceId: string, entries: readonly TreeEntry[]): Promise<WorkspaceRevision> {
    const tree = treeFromEntries(entries);
    const before = await this.#heads.get(headKey(workspaceId));
    const { uploadedFiles } = await this.#trees.put(tree, before ? { base: [before.value.revision] } : {});
    if (before?.value.revision !== tree.treeId) {
      await this.#heads.put(headKey(workspaceId), { revision: tree.treeId, uploadedAt: new Date().toISOString() });
    }
    this.#remember(tree.treeId);
    const bytes = [...tree.manifest.values()].reduce((sum, { size }) => sum + size, 0);
    return { workspaceId, revision: tree.treeId, files: tree.manifest.size, bytes, uploadedFiles };
  }

  /**
   * The tree that a request starts from: the one that it names, or the last one of its workspace.
   * @throws ReinsError `workspace_not_found`
   */
  async resolve(workspaceId: string, revision: string | undefined): Promise<string> {
    const treeId = revision ?? (await this.#heads.get(headKey(workspaceId)))?.value.revision;
    if (treeId !== undefined && (await this.#has(treeId))) return treeId;
    throw new ReinsError({
      code: 'workspace_not_found',
      message:
        treeId === undefined
          ? `nothing was uploaded for the workspace ${workspaceId}`
          : `no revision ${treeId} is stored`,
      path: treeId === undefined ? 'workspace.id' : 'workspace.revision',
      hint: 'upload it with POST /api/v1/workspaces',
    });
  }

  /** @throws ReinsError `tree_not_found` */
  open(treeId: string): Promise<Tree> {
    return this.#trees.open(treeId);
  }

  async #has(treeId: string): Promise<boolean> {
    if (this.#seen.has(treeId)) return true;
    const found = await this.#trees.has(treeId);
    if (found) this.#remember(treeId);
    return found;
  }

  #remember(treeId: string): void {
    if (this.#seen.size >= MAX_REMEMBERED) this.#seen.clear();
    this.#seen.add(treeId);
  }
}

const headKey = (workspaceId: string): string => `workspace.${workspaceId}`;
