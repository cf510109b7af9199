import {
  type BlobRef,
  defined,
  type ErrorInfo,
  isObject,
  type JsonObject,
  type JsonValue,
  nearest,
  type Problem,
  ReinsError,
} from '@reins/contracts';
import type { Entry } from '@reins/journal';
import {
  Coroutine,
  type CoroutineOptions,
  type DueStep,
  errorInfoOf,
  type ProcessDefinition,
  type Turn,
} from '@reins/replay';
import { type BabysitterProcess, babysitterProcess } from '@reins/replay/babysitter';
import { filesOf } from '../graph/hidden-folders.ts';
import type { FromChild, Loaded, LoadMessage, ToChild } from '../protocol/messages.ts';
import { setModuleClock, withinStep } from './ambient.ts';
import { freeze } from './captured.ts';
import { serve } from './loader.ts';
import { allowReading } from './offered/placed.ts';
import { framesOf, showStacksOf } from './stacks.ts';

/** The process of one run in this child: loaded once, then advanced turn by turn. */
export class Session {
  readonly #send: (message: FromChild) => void;
  #definition: ProcessDefinition | undefined;
  #options: CoroutineOptions | undefined;
  #coroutine: Coroutine | undefined;
  #journal: Entry[] = [];
  readonly #steps = new Map<string, DueStep>();
  readonly #values = new Map<number, (answer: { value?: JsonValue; error?: ErrorInfo }) => void>();
  /** Requested effects that the process may still wait for. */
  #requested = new Set<string>();
  #calls = 0;

  constructor(send: (message: FromChild) => void) {
    this.#send = send;
  }

  receive(message: ToChild): void {
    this.#answer(message).catch((error: unknown) => this.#send({ type: 'failed', error: errorInfoOf(error) }));
  }

  async #answer(message: ToChild): Promise<void> {
    switch (message.type) {
      case 'load':
        return this.#send({ type: 'loaded', ...(await this.#load(message)) });
      case 'replay':
        this.#journal.push(...message.entries);
        return message.isLast ? this.#replay(message) : undefined;
      case 'advance': {
        const { definition, options } = this.#loaded();
        this.#coroutine ??= Coroutine.start(definition, options);
        return this.#sendTurn(await this.#coroutine.advance(message.entries));
      }
      case 'step':
        return this.#step(message.effectId);
      case 'value':
        this.#values.get(message.call)?.(message);
        this.#values.delete(message.call);
    }
  }

  async #load(message: LoadMessage): Promise<Loaded> {
    const { graph, exportName, governance, runDir, id, run, identity = run.runId, nonInteractive, at } = message;
    const { schemaProblems } = 'inputs' in message ? await import('@reins/replay/schema') : {};
    setModuleClock(Date.parse(at), identity);
    showStacksOf(graph.root);
    allowReading(filesOf(graph));
    const { entry } = serve(graph);
    const module = (await imported(entry)) as Readonly<Record<string, unknown>>;
    const process = exportName === undefined ? (module.process ?? module.default) : module[exportName];
    if (typeof process !== 'function') throw exportMissing(graph.entry, exportName ?? 'process', module);
    const keepFile = (path: string, content: string) => this.#send({ type: 'file', path, content });
    const surroundings = {
      ...(governance && { governance }),
      ...(runDir !== undefined && { runDir, keepFile }),
    };
    this.#definition = withFrozenContext(babysitterProcess(id, graph.hash, process as BabysitterProcess, surroundings));
    this.#options = { run, identity, nonInteractive, loadValue: (ref) => this.#loadValue(ref) };
    if (!isObject(module.inputSchema)) return {};
    const inputSchema = module.inputSchema as JsonObject;
    const wrong = schemaProblems?.(inputSchema, message.inputs ?? null, 'input') ?? [];
    return { inputSchema, wrong: wrong.map(({ message, path = 'input' }) => ({ message, path })) };
  }

  async #replay({ replayedAt, from }: Extract<ToChild, { type: 'replay' }>): Promise<void> {
    const { definition, options } = this.#loaded();
    const entries = this.#journal;
    this.#journal = [];
    for (const { type, data } of entries) if (type === 'EFFECT_REQUESTED') this.#requested.add(data.effectId);
    const { coroutine, turn } = await Coroutine.replay(definition, {
      ...options,
      entries,
      ...defined({ from, replayedAt }),
    });
    this.#coroutine = coroutine;
    this.#sendTurn(turn);
  }

  #loaded(): { readonly definition: ProcessDefinition; readonly options: CoroutineOptions } {
    if (!this.#definition || !this.#options) throw new Error('no process is loaded');
    return { definition: this.#definition, options: this.#options };
  }

  async #step(effectId: string): Promise<void> {
    const due = this.#steps.get(effectId);
    if (!due) throw new Error(`no step ${effectId} is due`);
    const draft = await withinStep(() => due.run());
    this.#send({ type: 'stepped', effectId, draft });
  }

  #loadValue(ref: BlobRef): Promise<JsonValue> {
    const call = this.#calls;
    this.#calls += 1;
    return new Promise((resolve, reject) => {
      this.#values.set(call, ({ value = null, error }) =>
        error ? reject(new ReinsError(error as Problem)) : resolve(value),
      );
      this.#send({ type: 'load-value', call, ref });
    });
  }

  #sendTurn({ drafts, steps, state, divergence }: Turn): void {
    for (const step of steps) this.#steps.set(step.effectId, step);
    for (const draft of drafts) if (draft.type === 'EFFECT_REQUESTED') this.#requested.add(draft.data.effectId);
    const awaited = [...this.#requested].filter((effectId) => this.#coroutine?.waitsFor(effectId));
    this.#requested = new Set(awaited);
    const diverged = divergence && { divergence: { ...divergence, error: errorInfoOf(divergence.error) } };
    const due = steps.map(({ run, ...step }) => step);
    this.#send({ type: 'turn', turn: { drafts, steps: due, state, awaited, ...diverged } });
  }
}

/** Freezes the context, because the clock of the sandbox calls it and a process can reach it. */
function withFrozenContext(definition: ProcessDefinition): ProcessDefinition {
  const run: ProcessDefinition['run'] = (ctx, inputs) => {
    freeze(ctx.parallel);
    return definition.run(freeze(ctx), inputs);
  };
  return { ...definition, run, framesOf };
}

/** Imports the module. @throws ReinsError `process_invalid` for errors of its own code */
async function imported(url: string): Promise<unknown> {
  try {
    return await import(url);
  } catch (error) {
    const { code } = errorInfoOf(error);
    if (code !== 'process_failed') throw error;
    const [frame] = framesOf(error);
    throw new ReinsError({
      code: 'process_invalid',
      message: `the module cannot be loaded: ${errorInfoOf(error).message}${frame === undefined ? '' : ` (at ${frame})`}`,
    });
  }
}

function exportMissing(path: string, name: string, module: Readonly<Record<string, unknown>>): ReinsError {
  const names = Object.keys(module);
  const meant = nearest(
    name,
    names.filter((each) => typeof module[each] === 'function'),
  );
  const found = names.length === 0 ? 'it has no exports' : `its exports: ${names.join(', ')}`;
  return new ReinsError({
    code: 'process_export_missing',
    message:
      name in module
        ? `export ${name} is not a function (got ${typeof module[name]})`
        : `the module has no export ${name} (${found})`,
    path: `${path}#${name}`,
    hint:
      meant === undefined
        ? 'Export a function with this name, or name another export that is a function.'
        : `Did you mean ${path}#${meant}?`,
  });
}
