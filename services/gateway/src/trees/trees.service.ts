import { Injectable } from '@nestjs/common';
import { ReinsError } from '@reins/contracts';
import { diff } from '@reins/workspace-tree';
import { RequestReader } from '../requests/request-reader.ts';
import { Workspaces } from '../workspaces/workspaces.service.ts';
import type { StageQuery, TreeChanges, TreeView } from './trees.dto.ts';

/** Reads the files of requests. */
@Injectable()
export class TreesService {
  constructor(
    private readonly reader: RequestReader,
    private readonly workspaces: Workspaces,
  ) {}

  /** The files of a tree. @throws ReinsError `tree_not_found` */
  async view(treeId: string): Promise<TreeView> {
    const { manifest } = await this.workspaces.open(treeId);
    return {
      tree: treeId,
      files: [...manifest].map(([path, { mode, sha256, size }]) => ({ path, mode, sha256, size })),
    };
  }

  /** The content of a file of a tree. @throws ReinsError `tree_not_found` */
  async read(treeId: string, path: string): Promise<Uint8Array> {
    return (await this.workspaces.open(treeId)).read(path);
  }

  /** The file changes of a request. */
  async changes(requestId: string, query: StageQuery): Promise<TreeChanges> {
    const { from, to } = await this.of(requestId, query);
    const [before, after] = await Promise.all([this.workspaces.open(from), this.workspaces.open(to)]);
    return { from, to, files: diff(before.manifest, after.manifest).map(({ path, change }) => ({ path, change })) };
  }

  /**
   * The tree at the start of a request, and its current tree or that of one of its stages.
   * @throws ReinsError `tree_not_found`
   */
  async of(requestId: string, { stage, run }: StageQuery): Promise<{ readonly from: string; readonly to: string }> {
    const { revision, tree, stages } = await this.reader.find(requestId);
    const ended = stages.filter((each) => each.status === 'completed' && (stage === undefined || each.stage === stage));
    const chosen = run === undefined ? ended.at(-1) : ended[run - 1];
    // A later request of a session starts from the tree of the session, not from the revision that it was submitted with.
    const from = stages.find((each) => each.inputTree !== undefined)?.inputTree ?? revision;
    const to = stage === undefined && run === undefined ? (tree ?? from) : chosen?.tree;
    if (from !== undefined && to !== undefined) return { from, to };
    throw new ReinsError({
      code: 'tree_not_found',
      message: stage === undefined ? 'the request has no tree yet' : `no completed run of stage ${stage} has a tree`,
      path: 'stage',
    });
  }
}
