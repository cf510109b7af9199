import { expect, test } from '@jest/globals';
import {
  applyEntry,
  type Entry,
  type EntryDraft,
  emptyRun,
  memoryStream,
  sealEntries,
  streamJournalStore,
} from '@reins/journal';
import { Coroutine, type DefinedTask, type ProcessDefinition, type ProcessRunner, type Turn } from '@reins/replay';
import { RunProcess } from './run-process.ts';

const RUN = { workspaceId: 'ws', runId: 'r' };
const AT = '2026-01-01T00:00:00.000Z';
const task = (id: string): DefinedTask<null> => ({ id, build: () => ({ kind: 'node' }) });

/** A process whose sandbox is evicted after each turn: the next turn replays the journal first. */
function evictedAfterEachTurn(definition: ProcessDefinition): ProcessRunner {
  const { codeHash, id } = definition;
  return {
    id,
    codeHash,
    start: async (options) => ({
      advance: async (news) => {
        const entries = (await options.journal?.()) ?? [];
        const fresh = { coroutine: Coroutine.start(definition, options), turn: NOTHING };
        const { coroutine, turn: replayed } =
          entries.length > 0 ? await Coroutine.replay(definition, { ...options, entries }) : fresh;
        const turn = await coroutine.advance(news);
        return { ...turn, drafts: [...replayed.drafts, ...turn.drafts] };
      },
      waitsFor: () => true,
      close: async () => undefined,
    }),
    replay: () => Promise.reject(new Error('not used in this test')),
  };
}

const NOTHING: Turn = { drafts: [], steps: [], state: 'waiting' };

test('a process that is replayed in the middle of a commit sees the earlier entries of that commit', async () => {
  const definition: ProcessDefinition = {
    id: 'process/main.ts#main',
    codeHash: 'c',
    run: async (context) => {
      for (const name of ['first', 'second', 'third']) await context.task(task(name), null);
      return null;
    },
  };
  const state = emptyRun(RUN);
  const journal = streamJournalStore(memoryStream());
  const ports = {
    authored: { runner: async () => evictedAfterEachTurn(definition) },
    journal,
    clock: { now: () => new Date(AT) },
    values: { get: async () => null },
  };
  const process = new RunProcess(ports as unknown as ConstructorParameters<typeof RunProcess>[0], state);
  let commit: Entry[] = [];
  /** Advances the process with the drafts until it adds no more. @returns the labels of requested effects */
  const advance = async (...drafts: EntryDraft[]): Promise<unknown[]> => {
    const asked: unknown[] = [];
    for (let wave: readonly EntryDraft[] = drafts; wave.length > 0; ) {
      const sealed = sealEntries(state.head, wave, AT);
      for (const entry of sealed) applyEntry(state, entry);
      commit.push(...sealed);
      wave = await process.advance(sealed);
      asked.push(...wave.map(({ type, data }) => ('label' in data ? data.label : type)));
    }
    return asked;
  };
  const store = async (): Promise<void> => {
    const { position } = await journal.load(RUN);
    await journal.append(RUN, { entries: commit, epoch: 1 }, position);
    process.committed();
    commit = [];
  };
  const resolved = (label: string): EntryDraft => {
    const effect = [...state.effects.values()].find((each) => each.label === label);
    return {
      type: 'EFFECT_RESOLVED',
      data: { effectId: String(effect?.effectId), attempt: 1, status: 'ok', value: 1 },
    };
  };
  const who = { workspaceId: 'ws', sessionId: 's', agentId: 'a', revision: 'a'.repeat(64), idempotencyKey: 'k' };
  const created: EntryDraft = {
    type: 'RUN_CREATED',
    data: { ...who, process: { id: definition.id, codeHash: 'c' }, inputs: null, session: {} },
  };
  expect(await advance(created)).toEqual(['first']);
  await store();
  expect(await advance(resolved('first'))).toEqual(['second']);
  expect(await advance(resolved('second'))).toEqual(['third']);
  await store();
  expect(await advance(resolved('third'))).toEqual(['RUN_COMPLETED']);
});
