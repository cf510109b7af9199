import { spawn } from 'node:child_process';
import type { JsonObject, JsonValue } from '@reins/contracts';
import {
  effectIdOf,
  hashJson,
  type JournalStore,
  type LargeValues,
  memoryStream,
  streamJournalStore,
} from '@reins/journal';
import { LocalRun } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import { runnerFor } from '../pool/runner-for.ts';
import { SandboxChild } from '../pool/sandbox-child.ts';
import { Slots } from '../pool/slots.ts';
import type { SpawnedChild } from '../pool/spawn.ts';

export const RUN = { workspaceId: 'local', runId: 'run-1' };
export const PROCESS = { id: 'main.mjs#process', codeHash: 'c0de' };

/** A child that authored code has compromised: it can write anything to the pipe of its owner. */
const CHILD = `
  const { readSync, writeSync } = require('node:fs');
  const write = (bytes) => { for (let at = 0; at < bytes.length; ) try { at += writeSync(3, bytes, at); } catch (e) { if (e.code !== 'EAGAIN') throw e; } };
  const send = (message) => { const json = Buffer.from(JSON.stringify(message)); const head = Buffer.alloc(4); head.writeUInt32BE(json.length); write(Buffer.concat([head, json])); };
  const turn = (more) => send({ type: 'turn', turn: { drafts: [], steps: [], state: 'waiting', awaited: [], ...more } });
  const bytes = (size) => { const got = Buffer.alloc(size); for (let at = 0; at < size; ) { const n = readSync(0, got, at, size - at); if (n === 0) process.exit(); at += n; } return got; };
  const receive = () => JSON.parse(bytes(bytes(4).readUInt32BE()));
  send({ type: 'ready' }); receive(); send({ type: 'loaded' });
`;

export interface TakenOver {
  readonly governance?: Governance;
  readonly runDir?: string;
  readonly blobs?: LargeValues;
  readonly console?: (line: string) => void;
}

/** A run with a `CHILD`. @param code runs in place of the process; it uses `turn`, `send`, `write`, `receive` */
export class TakenOverRun {
  readonly store: JournalStore = streamJournalStore(memoryStream());
  readonly #code: string;
  readonly #more: TakenOver;

  constructor(code: string, more: TakenOver = {}) {
    this.#code = code;
    this.#more = more;
  }

  async create(inputs: JsonValue = null): Promise<LocalRun> {
    const { blobs } = this.#more;
    const options = { store: this.store, run: RUN, definition: this.#runner(), ...(blobs && { blobs }) };
    return LocalRun.create(options, { inputs });
  }

  async open(): Promise<LocalRun> {
    return LocalRun.open({ store: this.store, run: RUN, definition: this.#runner() });
  }

  async types(): Promise<string[]> {
    return (await this.store.load(RUN)).entries.map(({ type }) => type);
  }

  #runner() {
    const limits = { memoryMb: 64, turnMs: 20_000, maxTurnBytes: 1024 * 1024 };
    const { governance, runDir, console = () => undefined } = this.#more;
    return runnerFor({
      id: PROCESS.id,
      exportName: undefined,
      governance,
      runDir,
      graph: { root: '/', entry: 'main.mjs', modules: {}, hash: PROCESS.codeHash },
      limits,
      idleMs: 60_000,
      slots: new Slots(1, 60_000),
      console,
      machine: {
        start: (_, __, listener) => SandboxChild.of(spawnScript(`${CHILD}${this.#code}`), limits, listener),
        now: Date.now,
        after: () => () => undefined,
      },
    });
  }
}

function spawnScript(code: string): SpawnedChild {
  const process_ = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'ignore', 'pipe', 'pipe'] });
  const [input, , , output] = process_.stdio;
  return { process: process_, input: input as NodeJS.WritableStream, output: output as NodeJS.ReadableStream };
}

/** The entry of a request, as the engine would create it. */
export function requested(kind: string, request: JsonObject, key = `${kind}:k`) {
  const limits = { maxAttempts: 1, onUnknown: 'fail', runForMs: 1000, startWithinMs: 1000 };
  const effectId = effectIdOf(RUN.runId, key);
  const argsHash = hashJson({ kind, request });
  return { type: 'EFFECT_REQUESTED', data: { argsHash, attempt: 1, effectId, key, kind, limits, request } };
}
