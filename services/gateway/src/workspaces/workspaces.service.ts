import { type Bus, openBucket, readSubject, type TypedBucket } from '@reins/bus';
import { parseJson, ReinsError } from '@reins/contracts';
import { type Tree, type TreeEntry, type TreeStore, treeFromEntries } from '@reins/workspace-tree';
import { LRUCache } from 'lru-cache';
import type { WorkspaceRevision } from './workspaces.dto.ts';

interface WorkspaceHead {
  readonly revision: string;
  readonly uploadedAt: string;
}

/** The last upload of a workspace. */
export interface UploadedWorkspace extends WorkspaceHead {
  readonly workspaceId: string;
}

const MAX_CACHED = 10_000;
const STREAM = 'KV_requests';
const HEADS = '$KV.requests.workspace.';
/** Then the tree is renewed in the store: trees that nothing refers to are removed. */
const SEEN_MS = 30_000;

/** Workspace revisions: content-addressed trees, and the last upload of each workspace. */
export class Workspaces {
  readonly #bus: Bus;
  readonly #trees: TreeStore;
  readonly #heads: TypedBucket<WorkspaceHead>;
  /** Trees that were stored a moment ago. */
  readonly #seen = new LRUCache<string, true>({ max: MAX_CACHED, ttl: SEEN_MS });

  private constructor(bus: Bus, trees: TreeStore, heads: TypedBucket<WorkspaceHead>) {
    this.#bus = bus;
    this.#trees = trees;
    this.#heads = heads;
  }

  static async open(bus: Bus, trees: TreeStore): Promise<Workspaces> {
    return new Workspaces(bus, trees, await openBucket<WorkspaceHead>(bus, 'requests'));
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

  /** The last uploads of all workspaces, by id. */
  async list(): Promise<readonly UploadedWorkspace[]> {
    const found = new Map<string, UploadedWorkspace>();
    for await (const { subject, data } of readSubject(this.#bus, STREAM, `${HEADS}*`)) {
      const workspaceId = subject.slice(HEADS.length);
      if (data.length > 0) found.set(workspaceId, { workspaceId, ...(parseJson(data) as unknown as WorkspaceHead) });
    }
    return [...found.values()].sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
  }

  /** The last upload of a workspace; undefined if it has none. */
  async find(workspaceId: string): Promise<UploadedWorkspace | undefined> {
    const head = await this.#heads.get(headKey(workspaceId));
    return head && { workspaceId, ...head.value };
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
