import {
  canonicalJson,
  type EventOf,
  isObject,
  type JsonObject,
  type JsonValue,
  type MemoryUse,
} from '@reins/contracts';
import { EffectError, type ProcessContext } from '@reins/replay';
import type { RunStart } from './built-in-process.ts';
import type { PipelineExtension } from './pipeline-extension.ts';

/** The longest query of a recall, in characters. */
const MAX_QUERY = 4_000;

/** What a run recalled from one namespace, or why it could not. Preparations have it in their context. */
export type Recalled = Pick<EventOf<'runtime.memory.recall.completed'>, 'namespace' | 'recordIds' | 'context'> | Missed;

interface Missed {
  readonly namespace: string;
  readonly error: { readonly code: string; readonly message: string };
}

/**
 * Recalls memory once per request, before the first stage, from each scope that the plan declares. Every preparation
 * gets what was recalled. A recall that fails, or takes too long, never fails the run.
 */
export const memory: PipelineExtension = {
  id: 'memory/1',
  start: (context, run) => {
    let recalled: readonly Recalled[] = [];
    return {
      afterPlan: async ({ memory: uses = [] }) => {
        const asked = uses.filter(({ limit }) => limit > 0);
        recalled = await Promise.all(asked.map((use) => recall(context, run, use)));
      },
      aroundPrepare: (request, next) => {
        if (recalled.length === 0) return next(request);
        const recalledMemory = recalled.map((each) => ({ ...each }) as unknown as JsonObject);
        return next({ ...request, context: { ...request.context, recalledMemory } });
      },
    };
  },
};

async function recall(
  context: ProcessContext,
  { inputs }: RunStart,
  { scope, limit, maxTokens }: MemoryUse,
): Promise<Recalled> {
  const request = { namespace: scope, query: queryOf(inputs.input), limit, maxTokens, hook: 'read-before-plan' };
  const options = { key: `recall:${scope}`, limits: inputs.limits.memory ?? inputs.limits.service };
  try {
    const answer = (await context.effect('memory.recall', request, options)) as JsonObject;
    const {
      namespace = scope,
      recordIds = [],
      context: text = '',
    } = answer as Partial<Extract<Recalled, { recordIds: unknown }>>;
    return { namespace, recordIds, context: text };
  } catch (error) {
    if (!(error instanceof EffectError)) throw error;
    return { namespace: scope, error: { code: error.code, message: error.message } };
  }
}

/** The text of the input. */
function queryOf(input: JsonValue): string {
  const text = isObject(input) && typeof input.text === 'string' ? input.text : input;
  return (typeof text === 'string' ? text : canonicalJson(text)).slice(0, MAX_QUERY);
}
