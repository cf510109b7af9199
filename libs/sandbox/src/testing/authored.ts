import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonValue } from '@reins/contracts';
import { type JournalStore, memoryStream, streamJournalStore } from '@reins/journal';
import { LocalRun } from '@reins/replay';
import { tempDir } from '@reins/testing';
import type { Sandbox } from '../sandbox.ts';

/** Writes the files of a process into a new folder inside another one, and returns it. */
export async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(realpathSync(await tempDir('authored')), 'workspace');
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** A run of a process whose source is in a test. */
export class AuthoredRun {
  readonly store: JournalStore = streamJournalStore(memoryStream());
  readonly run = { workspaceId: 'local', runId: 'run-1' };
  readonly root: string;
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox, root: string) {
    this.#sandbox = sandbox;
    this.root = root;
  }

  /** @param body of `process(inputs, ctx)` */
  static async of(sandbox: Sandbox, body: string, more: Readonly<Record<string, string>> = {}): Promise<AuthoredRun> {
    const source = `export async function process(inputs, ctx) {\n${body}\n}\n`;
    return new AuthoredRun(sandbox, await folderOf({ 'main.mjs': source, ...more }));
  }

  async create(inputs: JsonValue = null): Promise<LocalRun> {
    return LocalRun.create({ store: this.store, run: this.run, definition: await this.definition() }, { inputs });
  }

  async open(): Promise<LocalRun> {
    return LocalRun.open({ store: this.store, run: this.run, definition: await this.definition() });
  }

  definition() {
    return this.#sandbox.process({ root: this.root, path: 'main.mjs', exportName: 'process' });
  }

  async types(): Promise<string[]> {
    return (await this.store.load(this.run)).entries.map(({ type }) => type);
  }
}

/** The output of the run, or its end or error. */
export const outputOf = ({ state }: LocalRun): JsonValue | undefined =>
  state.end?.status === 'completed' ? state.end.output : ((state.end ?? state.processError) as unknown as JsonValue);
