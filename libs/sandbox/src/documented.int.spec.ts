/** Runs every process in docs/processes.md as the comments below it describe. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { LocalRun } from '@reins/replay';
import { Sandbox } from './sandbox.ts';
import { AuthoredRun, folderOf } from './testing/authored.ts';

const DOCUMENT = fileURLToPath(new URL('../../../docs/processes.md', import.meta.url));
const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);

const sandbox = new Sandbox({ maxLive: 2 });
afterAll(() => sandbox.close());

/** A run of a documented process, with a clock that advances only where the document says so. */
class DocumentedRun {
  readonly #authored: AuthoredRun;
  #now = Date.parse('2026-01-01T00:00:00.000Z');
  #local: LocalRun | undefined;
  #failure: { readonly code?: string } = {};

  constructor(authored: AuthoredRun) {
    this.#authored = authored;
  }

  static async of(code: string): Promise<DocumentedRun> {
    return new DocumentedRun(new AuthoredRun(sandbox, await folderOf({ 'main.ts': code })));
  }

  async create(exportName: string, inputs: JsonValue): Promise<void> {
    const metadata = { prompt: 'Ship it' };
    const created = this.#options(exportName).then((options) => LocalRun.create(options, { inputs, metadata }));
    this.#local = await created.catch((error: { code: string }) => {
      this.#failure = error;
      return undefined;
    });
  }

  async open(exportName: string): Promise<void> {
    await this.#local?.close();
    this.#local = await LocalRun.open(await this.#options(exportName));
  }

  /** Advances to the next deadline, with a new owner. */
  async timePasses(exportName: string): Promise<void> {
    const due = this.#run.pending.map(({ request }) => Date.parse(String(request.expiresAt)));
    this.#now = Math.min(...due.filter((at) => !Number.isNaN(at)));
    await this.open(exportName);
  }

  async answer(value: JsonValue): Promise<void> {
    await this.#run.post(this.#first, { status: 'ok', value });
  }

  async fail(message: string): Promise<void> {
    await this.#run.post(this.#first, { status: 'error', error: { code: 'task_failed', message } });
  }

  async signal(name: string, payload: JsonValue): Promise<void> {
    await this.#run.signal(name, payload);
  }

  /** The outcome, in the words of the document. */
  get cameTo(): JsonObject {
    if (!this.#local) return { fails: this.#failure.code ?? 'internal_error' };
    const { end, processError } = this.#local.state;
    if (end?.status === 'completed') return { output: end.output };
    if (end?.status === 'halted') return { halted: end.reason ?? '' };
    if (end?.status === 'failed') return { fails: end.error.code };
    return processError ? { waits: processError.error.code } : { waits: 'for answers' };
  }

  async close(): Promise<void> {
    await this.#local?.close();
  }

  get #run(): LocalRun {
    if (!this.#local) throw new Error(`it was not created: ${JSON.stringify(this.#failure)}`);
    return this.#local;
  }

  get #first(): string {
    return this.#run.pending[0]?.effectId ?? 'no one is asked';
  }

  async #options(exportName: string) {
    const { root, run, store } = this.#authored;
    const definition = await sandbox.process({ root, path: 'main.ts', exportName, id: 'main.ts' });
    return { run, store, definition, now: () => new Date(this.#now) };
  }
}

/** Parses the comments below the code: `// <word>: <json or text>`. */
const STEPS =
  /^\/\/ (given|answered|answered with an error|signal \w+|time passes|continues with after|output|halted|fails|waits)(?:: (.*))?$/gm;

async function followed(code: string): Promise<void> {
  const run = await DocumentedRun.of(code);
  const steps = [...code.matchAll(STEPS)].map(([, word = '', text = 'null']) => ({ word, text }));
  let exported = code.includes('export const before') ? 'before' : 'process';
  try {
    await run.create(exported, JSON.parse(steps.find(({ word }) => word === 'given')?.text ?? 'null'));
    for (const { word, text } of steps) {
      if (word === 'answered') await run.answer(JSON.parse(text));
      else if (word === 'answered with an error') await run.fail(text);
      else if (word.startsWith('signal ')) await run.signal(word.slice('signal '.length), JSON.parse(text));
      else if (word === 'time passes') await run.timePasses(exported);
      else if (word === 'continues with after') {
        exported = 'after';
        await run.open(exported);
      } else if (word !== 'given') expect(run.cameTo).toEqual({ [word]: word === 'output' ? JSON.parse(text) : text });
    }
    expect(steps.map(({ word }) => word)).toContainEqual(expect.stringMatching(/^(output|halted|fails|waits)$/));
  } finally {
    await run.close();
  }
}

describe('docs/processes.md', () => {
  test('has an example of every member of the context', () => {
    const all = blocks.join('\n');
    const table = readFileSync(DOCUMENT, 'utf8').split('## The `ctx` API')[1]?.split('\n\n')[1] ?? '';
    const names = [...table.matchAll(/`ctx\.([a-zA-Z.]+)/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !all.includes(`ctx.${name}`))).toEqual([]);
  });

  test.each(blocks.map((code, i) => [`${i + 1}: ${code.split('\n')[0]}`, code]))('%s', (_, code) => followed(code));
});
