import { isStage, type JsonObject, type JsonValue, type Usage } from '@reins/contracts';
import { stageDirective } from '../facts/directives.ts';
import { type FactDraft, fact } from '../facts/fact-draft.ts';
import { usageFact } from '../facts/usage-fact.ts';
import type { EffectState } from '../state/run-state.ts';
import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';

/** Runs a stage on a host. */
export const stage = {
  facts: {
    requested: 'runtime.stage.requested',
    claimed: 'runtime.stage.claimed',
    progress: 'runtime.stage.progress',
    started: 'runtime.stage.started',
    question: 'runtime.stage.waiting',
    completed: 'runtime.stage.completed',
    failed: 'runtime.stage.failed',
    cancelled: 'runtime.stage.cancelled',
  },
  identity: ['stage', 'runtimeId'],
  reportsAttempts: true,
  requestedFields: ({ attempt, limits }, at) => {
    const { prepareForMs = 0, runForMs, startWithinMs } = limits;
    const deadline = new Date(Date.parse(at) + startWithinMs + prepareForMs + runForMs).toISOString();
    return { attempt, deadline, limits: { ...limits } };
  },
  implied: { started: unavailableServers, completed: carriedFacts, used: usageOf },
  directive: stageDirective,
  sharedStart: ['runtimeSource', 'tree'],
  count: ({ stageRequests }, { stage: name }) => {
    if (isStage(name)) stageRequests[name] = (stageRequests[name] ?? 0) + 1;
  },
  resolvedBy: 'worker',
  limits: WORKER_LIMITS,
  deadline: 'worker',
  stop: 'host',
  stageWork: 'run',
} as const satisfies EffectKind;

function carriedFacts(effect: EffectState, value: JsonObject): FactDraft[] {
  return [
    ...listOf(value.artifacts).map((artifact) => fact('runtime.artifact.created', { artifact })),
    ...unavailableServers(value),
    ...listOf(value.deniedTools).map((denied) => fact('runtime.tool.denied', { ...denied })),
    ...usageOf(effect, value.usage as Usage | undefined),
  ];
}

/** Servers that were missing when a stage started, or that it lost while it ran. */
function unavailableServers({ degradedServers }: JsonObject): FactDraft[] {
  return listOf(degradedServers).map((server) => fact('runtime.mcp.server.unavailable', { ...server }));
}

function usageOf({ request }: EffectState, usage: Usage | undefined): FactDraft[] {
  return usage ? [usageFact(String(request.stage), String(request.runtimeId), usage)] : [];
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];
