import type { Problem } from '@reins/contracts';
import type { PromptSection, Volatility } from '../prompt/sections.ts';
import { fitBudget } from './budget.ts';
import {
  renderCurrentUser,
  renderEvolveCandidate,
  renderOperatorSurface,
  renderPendingMemory,
  renderRecalledMemory,
  renderRecentRuntime,
  renderScratchpad,
  renderSessionResume,
} from './render.ts';
import type { ContextId, ContextOutcome, Loaded, StageContexts } from './types.ts';

/** The maximum number of prompt tokens per context. */
export type ContextBudgets = Readonly<Record<ContextId, number>>;

export const DEFAULT_CONTEXT_BUDGETS: ContextBudgets = {
  current_user: 100,
  operator_surface: 800,
  pending_user_memory: 800,
  evolve_candidate: 4000,
  scratchpad: 300,
  recent_runtime: 600,
  session_resume: 2000,
  recalled_memory: 1500,
};

interface ContextDefinition {
  readonly section: string;
  readonly priority: number;
  readonly volatility: Volatility;
  readonly channel: 'context_message' | 'resume_context';
  /** The text of a loaded context, or why there is none. */
  readonly load: (contexts: StageContexts) => Loaded<string>;
}

const define = <T>(
  section: string,
  priority: number,
  get: (contexts: StageContexts) => Loaded<T> | undefined,
  render: (value: T) => string,
  extra: Partial<Pick<ContextDefinition, 'volatility' | 'channel'>> = {},
): ContextDefinition => ({
  section,
  priority,
  volatility: extra.volatility ?? 'run',
  channel: extra.channel ?? 'context_message',
  load: (contexts) => {
    const loaded = get(contexts) ?? { status: 'disabled' };
    return loaded.status === 'loaded' ? { status: 'loaded', value: render(loaded.value).trim() } : loaded;
  },
});

const CONTEXTS: Readonly<Record<ContextId, ContextDefinition>> = {
  current_user: define('current_user_context', 475, (c) => c.current_user, renderCurrentUser, {
    volatility: 'workspace',
  }),
  operator_surface: define('operator_surface_context', 480, (c) => c.operator_surface, renderOperatorSurface),
  pending_user_memory: define('pending_user_memory', 490, (c) => c.pending_user_memory, renderPendingMemory),
  scratchpad: define('scratchpad_context', 492, (c) => c.scratchpad, renderScratchpad),
  evolve_candidate: define('evolve_candidate_context', 495, (c) => c.evolve_candidate, renderEvolveCandidate),
  recent_runtime: define('recent_runtime_context', 500, (c) => c.recent_runtime, renderRecentRuntime),
  session_resume: define('resume_context', 550, (c) => c.session_resume, renderSessionResume, {
    channel: 'resume_context',
  }),
  recalled_memory: define('memory_recall', 575, (c) => c.recalled_memory, renderRecalledMemory),
};

const CONTEXT_IDS = Object.keys(CONTEXTS) as readonly ContextId[];

/** The contexts of a run as prompt sections within their budgets, with the outcome of each. */
export interface ProjectedContexts {
  readonly sections: readonly PromptSection[];
  readonly outcomes: readonly ContextOutcome[];
  readonly warnings: readonly Problem[];
}

/** Projects the contexts of a run to prompt sections. Never fails: missing contexts are recorded and skipped. */
export function projectContexts(contexts: StageContexts, budgets: Partial<ContextBudgets> = {}): ProjectedContexts {
  const sections: PromptSection[] = [];
  const outcomes: ContextOutcome[] = [];
  const warnings: Problem[] = [];
  for (const id of CONTEXT_IDS) {
    const { section, priority, volatility, channel, load } = CONTEXTS[id];
    const loaded = load(contexts);
    if (loaded.status !== 'loaded' || loaded.value === '') {
      outcomes.push(withoutText(id, loaded));
      continue;
    }
    const budget = budgets[id] ?? DEFAULT_CONTEXT_BUDGETS[id];
    const { text, tokens, droppedTokens } = fitBudget(loaded.value, budget);
    outcomes.push({ id, status: text === '' ? 'empty' : 'used', tokens, dropped_tokens: droppedTokens });
    if (droppedTokens > 0) warnings.push(truncated(id, budget, droppedTokens));
    sections.push({
      id: section,
      channel,
      apply_at: 'runtime_config',
      precedence: 'runtime_context',
      priority,
      volatility,
      content: text,
    });
  }
  return { sections, outcomes, warnings };
}

function withoutText(id: ContextId, loaded: Loaded<string>): ContextOutcome {
  const noText = { id, tokens: 0, dropped_tokens: 0 };
  if (loaded.status === 'loaded') return { ...noText, status: 'empty' };
  return loaded.reason === undefined
    ? { ...noText, status: loaded.status }
    : { ...noText, status: loaded.status, reason: loaded.reason };
}

function truncated(id: ContextId, budget: number, dropped: number): Problem {
  return {
    code: 'context_truncated',
    message: `context '${id}' exceeds its budget of ${budget} tokens; about ${dropped} tokens were cut`,
    path: `contexts.${id}`,
    hint: 'Raise the budget of this context in the settings, or reduce its content.',
  };
}
