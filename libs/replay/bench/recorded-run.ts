import type { JsonObject } from '@reins/contracts';
import { type Commit, EMPTY_HEAD, type Entry, type EntryDraft, sealEntries } from '@reins/journal';
import { Coroutine, type FedEntry, type ProcessDefinition } from '../src/index.ts';

export const RUN = { workspaceId: 'bench', runId: '01BENCH' };
const AT = '2026-01-31T12:00:00.000Z';

/** A process that requests one effect after the other, each with the arguments of a small task. */
export function sequential(effects: number): ProcessDefinition {
  return {
    id: 'sequential',
    codeHash: 'v1',
    run: async (ctx) => {
      let sum = 0;
      for (let i = 0; i < effects; i += 1) {
        const value = await ctx.effect('task', {
          kind: 'node',
          taskId: 'work',
          args: { i, text: 'some words of an argument' },
        });
        sum += Number((value as { value: JsonObject }).value.n);
      }
      return sum;
    },
  };
}

/** Records such a run as commits: the answer of one effect and the request of the next. */
export async function recorded(definition: ProcessDefinition): Promise<{ entries: Entry[]; commits: Commit[] }> {
  const coroutine = Coroutine.start(definition, { run: RUN });
  const commits: Commit[] = [];
  let head = EMPTY_HEAD;
  let fed: EntryDraft[] = [created(definition)];
  for (;;) {
    const turn = await coroutine.advance(fed.map((draft) => ({ ...draft, recordedAt: AT }) as FedEntry));
    const entries = sealEntries(head, [...fed, ...turn.drafts], AT);
    commits.push({ entries, epoch: 1 });
    const last = entries.at(-1) as Entry;
    head = { version: last.version, hash: last.hash };
    if (turn.state !== 'waiting') return { entries: commits.flatMap((commit) => [...commit.entries]), commits };
    fed = turn.drafts.flatMap((draft) => (draft.type === 'EFFECT_REQUESTED' ? [answer(draft.data.effectId)] : []));
  }
}

const answer = (effectId: string): EntryDraft => ({
  type: 'EFFECT_RESOLVED',
  data: { effectId, attempt: 1, status: 'ok', value: { value: { n: 1 } } },
});

export function created({ id, codeHash }: ProcessDefinition): EntryDraft {
  const owner = { workspaceId: RUN.workspaceId, sessionId: 'bench', agentId: 'bench', revision: '0'.repeat(64) };
  return {
    type: 'RUN_CREATED',
    data: { ...owner, process: { id, codeHash }, inputs: null, session: {}, idempotencyKey: 'bench' },
  };
}
