import { isReinsError, type JsonValue, ReinsError } from '@reins/contracts';
import type { ProcessCode } from '@reins/journal';
import type { ProcessRunner, RunningProcess } from '@reins/replay';
import { readProcess, Sandbox, type SandboxOptions } from '@reins/sandbox';
import { declaredProcess, WORKSPACE_FILE } from '@reins/workspace-plan';
import { followLinks, type Tree, type TreeStore } from '@reins/workspace-tree';
import { LruCache } from './lru-cache.ts';
import type { AuthoredProcesses, AuthoredRef } from './runner-of.ts';
import { SourceFolders } from './source-folders.ts';

/** Maximum number of sandboxed processes at a time. Idle ones are evicted. */
const LIVE_AT_ONCE = 16;
/** Entries per cache. */
const CACHE_SIZE = 500;

interface Loaded {
  readonly runner: ProcessRunner;
  readonly assertInput: (input: JsonValue) => Promise<void>;
}

/**
 * Loads the processes of workspaces from the trees of their revisions. Each run has a sandbox of its own
 * (`@reins/sandbox`), and the code is in a private folder. Another replica can load the same trees, so nothing here
 * has to survive a restart.
 */
export class WorkspaceProcesses implements AuthoredProcesses {
  readonly #trees: Pick<TreeStore, 'open'>;
  readonly #sandbox: Sandbox;
  readonly #folders = new SourceFolders();
  readonly #names = new LruCache<Promise<string | undefined>>(CACHE_SIZE);
  readonly #loaded = new LruCache<Promise<Loaded>>(CACHE_SIZE);

  constructor(trees: Pick<TreeStore, 'open'>, options: SandboxOptions = {}) {
    this.#trees = trees;
    this.#sandbox = new Sandbox({ maxLive: LIVE_AT_ONCE, ...options });
  }

  named(revision: string): Promise<string | undefined> {
    return this.#names.get(revision, () => this.#readName(revision));
  }

  async runner(ref: AuthoredRef): Promise<ProcessRunner> {
    return (await this.#of(ref)).runner;
  }

  async assertInput(ref: AuthoredRef, input: JsonValue): Promise<void> {
    await (await this.#of(ref)).assertInput(input);
  }

  /** All code of a process, as its revision has it. @throws as `runner` */
  async code({ id, revision }: AuthoredRef): Promise<ProcessCode> {
    const [path = ''] = id.split('#');
    const root = await this.#folders.of(revision, path, () => this.#open(revision)).ready();
    return (await readProcess({ root, path })).code;
  }

  #of(ref: AuthoredRef): Promise<Loaded> {
    return this.#loaded.get(`${ref.revision} ${ref.id}`, () => this.#load(ref));
  }

  /** Closes every sandbox. Runs continue from their journals later. */
  async close(): Promise<void> {
    await this.#sandbox.close();
    await this.#folders.close();
  }

  /** Undefined for a missing revision or workspace file: the `plan` effect reports that. */
  async #readName(revision: string): Promise<string | undefined> {
    try {
      const tree = await followLinks(await this.#trees.open(revision));
      if (!tree.manifest.has(WORKSPACE_FILE)) return undefined;
      return declaredProcess(new TextDecoder().decode(await tree.read(WORKSPACE_FILE)));
    } catch (error) {
      if (isReinsError(error) && error.code === 'tree_not_found') return undefined;
      throw error;
    }
  }

  async #load({ id, revision }: AuthoredRef): Promise<Loaded> {
    const [path = '', exportName] = id.split('#');
    const folder = this.#folders.of(revision, path, () => this.#open(revision));
    const root = await folder.ready();
    const process = { root, path, id, ...(exportName && { exportName }) };
    const inner = await this.#sandbox.process(process);
    // Finds errors in its modules before a run starts.
    const { inputSchema } = await this.#sandbox.inspect(process);
    const ready = async <T>(work: () => Promise<T>): Promise<T> => {
      await folder.ready();
      return work();
    };
    const within = (running: RunningProcess): RunningProcess => ({
      advance: (entries) => ready(() => running.advance(entries)),
      waitsFor: (effectId) => running.waitsFor(effectId),
      close: () => running.close(),
    });
    const runner: ProcessRunner = {
      id,
      codeHash: inner.codeHash,
      start: (options) => ready(async () => within(await inner.start(options))),
      replay: (options) =>
        ready(async () => {
          const { running, turn } = await inner.replay(options);
          return { running: within(running), turn };
        }),
    };
    const assertInput = async (input: JsonValue): Promise<void> => {
      if (inputSchema) await ready(() => this.#sandbox.inspect(process, input));
    };
    return { runner, assertInput };
  }

  async #open(revision: string): Promise<Tree> {
    try {
      return await this.#trees.open(revision);
    } catch (error) {
      if (!isReinsError(error) || error.code !== 'tree_not_found') throw error;
      throw new ReinsError({
        code: 'process_not_found',
        message: `revision ${revision} does not exist`,
        path: 'revision',
      });
    }
  }
}
