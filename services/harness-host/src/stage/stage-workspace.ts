import { createHash } from 'node:crypto';
import { type HandoffFile, type JsonValue, parseJson } from '@reins/contracts';
import {
  type CaptureCache,
  capture,
  diff,
  type Manifest,
  manifestOf,
  materialise,
  type Tree,
  type TreeStore,
  treeIdOf,
} from '@reins/workspace-tree';
import type { RunFolder } from '../executor/run-folder.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { replaceByTree } from './replaced-tree.ts';
import { formatSession, parseSession } from './session-ref.ts';

/**
 * The folders of one stage run: its work, and the session of its executor. Both are materialised from trees and
 * captured as trees, so that the next stage can run on another host.
 */
export class StageWorkspace {
  readonly #trees: TreeStore;
  readonly #folder: RunFolder;
  readonly #inputTree: string;
  #cache: CaptureCache | undefined;
  #input: Manifest = new Map();
  #captured: Manifest | undefined;

  constructor(trees: TreeStore, folder: RunFolder, inputTree: string) {
    this.#trees = trees;
    this.#folder = folder;
    this.#inputTree = inputTree;
  }

  /**
   * Writes the input tree to the working directory.
   * @param isReused whether the folder has what an earlier stage left in it, which is removed
   * @throws ReinsError of the tree store
   */
  async materialiseInput(isReused = false): Promise<void> {
    const tree = await this.#trees.open(this.#inputTree);
    if (!this.#folder.exists) return;
    this.#input = tree.manifest;
    const { workDir } = this.#folder;
    this.#cache = (await (isReused ? replaceByTree(workDir, tree) : materialise(tree, workDir))).cache;
  }

  /** Restores a session; undefined when a new session is needed. */
  async restoreSession(reference: string | null | undefined): Promise<StageSession | undefined> {
    const session = parseSession(reference);
    if (!session || !this.#folder.exists || !(await this.#trees.has(session.treeId))) return undefined;
    const tree = await this.#trees.open(session.treeId);
    await materialise(tree, this.#folder.sessionDir);
    const state = tree.manifest.has(STATE_FILE) ? (parseJson(await tree.read(STATE_FILE)) as JsonValue) : undefined;
    return { nativeId: session.nativeId, state };
  }

  /**
   * Stores the working directory as a tree and returns its id. Omits entries that cannot be part of a tree, and redacts
   * secrets in files.
   * @throws ReinsError of the tree store
   */
  async captureWork(redactor: Redactor): Promise<string> {
    if (!this.#folder.exists) return this.#inputTree;
    // The contents of input files are not redacted.
    const inputHashes = new Set([...this.#input.values()].map(({ sha256 }) => sha256));
    const tree = await captureRedacted(this.#folder.workDir, redactor, inputHashes, this.#cache);
    this.#captured = tree.manifest;
    // The input tree is already stored.
    if (tree.treeId === this.#inputTree) return tree.treeId;
    return (await this.#trees.put(tree, { base: [this.#inputTree] })).treeId;
  }

  /** The files that differ between the input and what was captured last, without those of Reins. */
  get changedFiles(): readonly HandoffFile[] {
    const changes = this.#captured ? diff(this.#input, this.#captured) : [];
    return changes.flatMap(({ path, change }) => (path.startsWith('.reins/') ? [] : [{ path, change }]));
  }

  /** Stores the session and returns its portable reference. */
  async captureSession({ nativeId, state }: StageSession, redactor: Redactor): Promise<string> {
    const tree = await captureRedacted(this.#folder.sessionDir, redactor, new Set());
    const bytes = state === undefined ? undefined : encoder.encode(JSON.stringify(redactor.value(state)));
    return formatSession({ nativeId, treeId: (await this.#trees.put(withState(tree, bytes))).treeId });
  }
}

/** A session of an executor. */
export interface StageSession {
  /** The executor's id of the session. */
  readonly nativeId: string;
  /** What Reins keeps for the conversation. */
  readonly state: JsonValue | undefined;
}

/** The file in the tree of a session. Only its stored form is used: executors can change the folder. */
const STATE_FILE = 'reins-state.json';
const encoder = new TextEncoder();

/** The tree with this state, or with none. */
function withState(tree: Tree, bytes: Uint8Array | undefined): Tree {
  if (bytes === undefined && !tree.manifest.has(STATE_FILE)) return tree;
  const others = [...tree.manifest].filter(([path]) => path !== STATE_FILE);
  const file = bytes && ({ mode: '644', size: bytes.byteLength, sha256: sha256Of(bytes) } as const);
  const manifest = manifestOf(file ? [...others, [STATE_FILE, file]] : others);
  const read: Tree['read'] = async (path) => (path === STATE_FILE && bytes ? bytes : tree.read(path));
  return { treeId: treeIdOf(manifest), manifest, read };
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Captures a folder, with secrets redacted in files whose content is not from the input. The folder is not changed: a
 * process that outlived the executor could replace a file by a link to anything that the host may write.
 */
async function captureRedacted(
  dir: string,
  redactor: Redactor,
  inputHashes: ReadonlySet<string>,
  previous?: CaptureCache,
): Promise<Tree> {
  const tree = await capture(dir, { refused: 'leave-out', ...(previous && { previous }) });
  if (!redactor.hasSecrets) return tree;
  const redacted = new Map<string, Uint8Array>();
  for (const [path, { sha256, mode }] of tree.manifest) {
    if (mode === 'link' || inputHashes.has(sha256)) continue;
    const bytes = await tree.read(path);
    const clean = redactor.bytes(bytes);
    if (clean !== bytes) redacted.set(path, clean);
  }
  return redacted.size === 0 ? tree : withContents(tree, redacted);
}

/** The tree with other contents of some files. */
function withContents(tree: Tree, contents: ReadonlyMap<string, Uint8Array>): Tree {
  const manifest = manifestOf(
    [...tree.manifest].map(([path, file]) => {
      const bytes = contents.get(path);
      if (!bytes) return [path, file];
      return [path, { ...file, size: bytes.byteLength, sha256: sha256Of(bytes) }];
    }),
  );
  return { treeId: treeIdOf(manifest), manifest, read: async (path) => contents.get(path) ?? tree.read(path) };
}
