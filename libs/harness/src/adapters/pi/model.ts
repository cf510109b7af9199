import { defined, type JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { needsBreakpoints } from '../../execution/prompt-caching.ts';
import { thinkingOf } from '../../execution/thinking.ts';

/**
 * The model of a run in the form of pi's models.json. pi sends nothing about thinking for a model that does not reason,
 * so the model is declared as one unless the request asks for thinking. pi has defaults for what is unknown.
 */
export function piModel(run: HarnessRun): JsonObject {
  const { model = {}, modelId } = run;
  const { settings } = run.environment;
  const contextWindow = positive(settings.contextWindow) ?? model.contextWindow;
  const maxTokens = positive(settings.maxOutputTokens) ?? model.maxOutputTokens;
  return {
    id: modelId,
    input: model.images === false ? ['text'] : ['text', 'image'],
    ...defined({ contextWindow, maxTokens }),
    ...thinkingMembers(run),
    // pi recognises OpenRouter by the name of its own provider.
    ...(needsBreakpoints(run) && { compat: { cacheControlFormat: 'anthropic' } }),
  };
}

/** The level for `--thinking`. */
export function piThinkingLevel(run: HarnessRun): string {
  const sent = thinkingOf(run);
  return sent.kind === 'effort' || sent.kind === 'budget' ? sent.level : 'off';
}

/** The settings of pi with the budget of the level, if the model takes a budget. */
export function piThinkingSettings(run: HarnessRun): JsonObject {
  const sent = thinkingOf(run);
  return sent.kind === 'budget' ? { thinkingBudgets: { [sent.level]: sent.tokens } } : {};
}

function thinkingMembers(run: HarnessRun): JsonObject {
  const sent = thinkingOf(run);
  const { api } = run.endpoint;
  switch (sent.kind) {
    case 'none':
      return { reasoning: false, ...(api === 'openai-responses' && run.model?.reasoning === true && ENCRYPTED) };
    case 'off':
      return { reasoning: true, thinkingLevelMap: { off: sent.value } };
    case 'budget':
      return { reasoning: true };
    case 'effort': {
      const map = { thinkingLevelMap: { [sent.level]: sent.value } };
      const adaptive = api === 'anthropic-messages' && run.model?.thinking !== undefined;
      return { reasoning: true, ...map, ...(adaptive && { compat: { forceAdaptiveThinking: true } }) };
    }
  }
}

/** A reasoning model reasons unasked. The next call refers to its reasoning, which OpenAI does not store for pi. */
const ENCRYPTED = { samplingParams: { include: ['reasoning.encrypted_content'] } };

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
