import type { EntryData, EntryType, JsonObject, JsonValue, RunAddress } from '@reins/contracts';
import fc from 'fast-check';
import { EFFECT_KINDS, type EffectKindName } from '../effects/effect-kinds.ts';
import { EMPTY_HEAD, type Entry, type EntryDraft, sealEntries } from '../entries/entry.ts';
import { applyEntry } from '../state/apply-entry.ts';
import { type EffectState, emptyRun, pendingEffects, type RunState } from '../state/run-state.ts';

export const RUN: RunAddress = { workspaceId: 'shop', runId: '01RUN' };
export const SHA = 'ab'.repeat(32);
export const BLOB = { sha256: SHA, size: 3 };
export const AT = '2026-01-31T12:00:00.000Z';
export const LIMITS = { startWithinMs: 60_000, runForMs: 600_000, maxAttempts: 2, onUnknown: 'retry' } as const;

export function draft<T extends EntryType>(type: T, data: EntryData[T]): EntryDraft {
  return { type, data } as EntryDraft;
}

export const CREATED: EntryDraft = draft('RUN_CREATED', {
  workspaceId: RUN.workspaceId,
  sessionId: 'ses',
  agentId: 'main',
  revision: SHA,
  process: { id: 'pipeline', codeHash: 'built-in' },
  inputs: { input: 'hello' },
  session: {},
  idempotencyKey: 'submit-1',
});

export function requestedDraft(effectId: string, kind: string, request: JsonObject): EntryDraft {
  const args = { effectId, kind, attempt: 1, key: `k.${effectId}`, argsHash: SHA, request, limits: LIMITS };
  return draft('EFFECT_REQUESTED', args);
}

interface EffectExample {
  readonly request: JsonObject;
  readonly value: JsonValue;
}

/** Requests and results of the kinds whose facts need fields. */
const WITH_FIELDS: { readonly [K in EffectKindName]?: EffectExample } = {
  plan: {
    request: { revision: SHA },
    value: { planRef: BLOB, configChecksum: SHA, inputsChecksum: SHA, diagnostics: [] },
  },
  prepare: {
    request: { stage: 'execute', runtimeId: 'pi', planRef: BLOB, iteration: 1, input: {}, tree: SHA },
    value: { hostRequestRef: BLOB, snapshotRef: BLOB, fingerprint: SHA, timings: {} },
  },
  stage: {
    request: { stage: 'execute', runtimeId: 'pi', hostRequestRef: BLOB, tree: SHA, runtimeSource: 'default' },
    value: { output: 'done', tree: SHA },
  },
  'memory.recall': {
    request: { namespace: 'main', query: 'what was' },
    value: { recordIds: [], context: '' },
  },
  task: { request: { kind: 'node', taskId: 'build', args: {} }, value: { value: 42 } },
  'tool.direct': { request: { toolId: 'search', args: {} }, value: { output: 'found' } },
  workflow: { request: { workflowId: 'wf', adapter: 'langgraph' }, value: {} },
  child: { request: { process: 'p', inputs: null, childRequestId: '01CHILD' }, value: { output: 1 } },
  breakpoint: {
    request: { approvalId: 'ap1', subject: { kind: 'breakpoint' }, expiresAt: AT },
    value: { approved: true },
  },
  approval: { request: { approvalId: 'ap1', subject: { kind: 'tool' }, expiresAt: AT }, value: { approved: true } },
  sleep: { request: { expiresAt: AT }, value: null },
  signal: { request: { name: 'go' }, value: { payload: 1 } },
  step: { request: { name: 'local' }, value: 7 },
};

const exampleOf = (kind: EffectKindName): EffectExample => WITH_FIELDS[kind] ?? { request: {}, value: {} };

/** A complete request and result of each kind. */
export const EXAMPLES = Object.fromEntries(
  (Object.keys(EFFECT_KINDS) as EffectKindName[]).map((kind) => [kind, exampleOf(kind)]),
) as { readonly [K in EffectKindName]: EffectExample };

/** Builds a journal: seals drafts and folds them. */
export class JournalBuilder {
  readonly state: RunState = emptyRun(RUN);
  readonly entries: Entry[] = [];

  add(...drafts: readonly EntryDraft[]): this {
    for (const entry of sealEntries(this.state.head, drafts, AT)) {
      applyEntry(this.state, entry);
      this.entries.push(entry);
    }
    return this;
  }
}

/** Seals drafts without validating them. */
export function sealUnchecked(...drafts: readonly EntryDraft[]): Entry[] {
  return sealEntries(EMPTY_HEAD, drafts, AT);
}

/** Arbitrary valid journals. Each number picks one of the moves that are possible at that point. */
export const journals: fc.Arbitrary<Entry[]> = fc
  .array(fc.tuple(fc.nat(1000), fc.jsonValue({ noUnicodeString: false })), { maxLength: 30, size: 'max' })
  .map((choices) => {
    const builder = new JournalBuilder().add(CREATED);
    for (const [choice, value] of choices) {
      const open = moves(builder.state, clean(value));
      const move = open[choice % open.length];
      if (move) builder.add(move);
    }
    return builder.entries;
  });

/** JSON cannot carry lone surrogates. */
const clean = (value: unknown): JsonValue =>
  JSON.parse(JSON.stringify(value).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '?'));

function moves(state: RunState, value: JsonValue): EntryDraft[] {
  if (state.archive) return [];
  if (state.end) {
    const terminalType = `RUN_${state.end.status.toUpperCase()}`;
    return [draft('RUN_ARCHIVED', { archiveRef: BLOB, headHash: state.head.hash, terminalType })];
  }
  return [...runMoves(state, value), ...pendingEffects(state).flatMap((effect) => effectMoves(effect, value))];
}

function runMoves(state: RunState, value: JsonValue): EntryDraft[] {
  const kinds = Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[];
  const id = `e${state.effects.size + 1}`;
  return [
    ...kinds.map((kind) => requestedDraft(id, kind, EXAMPLES[kind].request)),
    draft('PROCESS_LOG', { message: value }),
    draft('PROCESS_CODE_CHANGED', { from: 'a', to: 'b' }),
    draft('PROCESS_RUNTIME_ERROR', { error: { code: 'internal_error', message: 'm' }, expiresAt: AT }),
    draft('SIGNAL_RECEIVED', { name: 'go', payload: value }),
    draft('RUN_CANCEL_REQUESTED', { idempotencyKey: `cancel-${state.head.version}` }),
    ...(state.head.version < 8 ? [] : ends(value)),
  ];
}

const ends = (value: JsonValue): EntryDraft[] => [
  draft('RUN_COMPLETED', { output: value }),
  draft('RUN_FAILED', { error: { code: 'internal_error', message: 'm' } }),
  draft('RUN_CANCELLED', { reason: 'enough' }),
  draft('RUN_HALTED', { reason: 'enough', payload: value }),
];

function effectMoves({ effectId, attempt, status }: EffectState, value: JsonValue): EntryDraft[] {
  const error = { code: 'internal_error', message: 'm' };
  return [
    ...(status === 'requested' ? [draft('EFFECT_CLAIMED', { effectId, attempt, hostId: 'h1' })] : []),
    draft('EFFECT_STARTED', { effectId, attempt, hostId: 'h1' }),
    draft('EFFECT_PROGRESS', { effectId, percent: 50 }),
    draft('EFFECT_WAITING', { effectId, reason: 'user', question: value }),
    draft('EFFECT_ATTEMPT_FAILED', {
      effectId,
      attempt,
      outcome: 'failed',
      error,
      retryable: true,
      nextAttempt: attempt + 1,
    }),
    draft('EFFECT_RESOLVED', { effectId, attempt, status: 'ok', value }),
    draft('EFFECT_RESOLVED', { effectId, attempt, status: 'error', error }),
    draft('EFFECT_CANCELLED', { effectId, attempt, confirmed: true }),
  ];
}
