import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunAddress } from '@reins/contracts';
import { type Entry, type EntryDraft, sealEntries } from '@reins/journal';
import { AT, CREATED } from '@reins/journal/testing';
import { tempDir } from '@reins/testing';
import { RunDirectoryStore } from '../store/run-directory-store.ts';

export const CREATED_IN_WS = { ...CREATED, data: { ...CREATED.data, workspaceId: 'ws' } } as EntryDraft;

/** A folder of runs for one test file. */
export class RunsFolder {
  readonly root: string;
  #runs = 0;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<RunsFolder> {
    return new RunsFolder(await tempDir('rundir'));
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }

  get store(): RunDirectoryStore {
    return new RunDirectoryStore(this.root);
  }

  newRun(): RunAddress {
    this.#runs += 1;
    return { workspaceId: 'ws', runId: `run-${this.#runs}` };
  }

  /** Appends drafts as one commit. */
  async append(run: RunAddress, ...drafts: EntryDraft[]): Promise<Entry[]> {
    const { store } = this;
    const { head, position } = await store.load(run);
    const entries = sealEntries(head, drafts, AT);
    const answer = await store.append(run, { entries, epoch: 0 }, position);
    if (answer.outcome !== 'stored') throw new Error('fenced, although no other writer appended');
    return entries;
  }

  path(run: RunAddress, ...parts: string[]): string {
    return join(this.root, run.runId, ...parts);
  }

  names(run: RunAddress): string[] {
    return readdirSync(this.path(run, 'journal')).toSorted();
  }

  /** Rewrites the file of an entry, or removes it when `change` returns nothing. */
  change(run: RunAddress, version: number, change: (text: string) => string | undefined): string {
    const name = this.names(run)[version - 1] ?? '';
    const path = this.path(run, 'journal', name);
    const text = change(readFileSync(path, 'utf8'));
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
    return name;
  }

  json(run: RunAddress, ...parts: string[]): unknown {
    return JSON.parse(readFileSync(this.path(run, ...parts), 'utf8'));
  }
}
