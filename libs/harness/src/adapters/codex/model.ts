import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { thinkingOf } from '../../execution/thinking.ts';
import { codexTools } from './tools.ts';

/** The window of a model about which nothing is known. */
const DEFAULT_CONTEXT_WINDOW = 128_000;
const TOOL_OUTPUT_TOKENS = 10_000;

/** The members of `turn/start` about thinking: nothing, unless the request asks for something. */
export function codexThinking(run: HarnessRun): { readonly effort?: string; readonly summary: 'auto' | 'none' } {
  const sent = thinkingOf(run);
  if (sent.kind === 'effort') return { effort: sent.value ?? sent.level, summary: 'auto' };
  if (sent.kind === 'budget') return { effort: sent.level, summary: 'auto' };
  return sent.kind === 'off' ? { effort: sent.value ?? 'none', summary: 'none' } : { summary: 'none' };
}

/**
 * The catalogue of models for Codex, with the model of the run as its only one. Codex then needs no list from another
 * address, and offers only the tools of the run.
 */
export function modelCatalogue(run: HarnessRun): JsonObject {
  const { modelId, model = {}, systemPrompt, environment } = run;
  const { effort } = codexThinking(run);
  const tools = codexTools(run);
  return {
    models: [
      {
        slug: modelId,
        display_name: modelId,
        supported_reasoning_levels: effort === undefined ? [] : [{ effort, description: effort }],
        shell_type: tools.includes('exec_command') ? 'unified_exec' : 'disabled',
        apply_patch_tool_type: tools.includes('apply_patch') ? 'freeform' : null,
        visibility: 'list',
        supported_in_api: true,
        priority: 1,
        additional_speed_tiers: [],
        service_tiers: [],
        base_instructions: systemPrompt,
        support_verbosity: false,
        truncation_policy: { mode: 'tokens', limit: TOOL_OUTPUT_TOKENS },
        context_window: positive(environment.settings.contextWindow) ?? model.contextWindow ?? DEFAULT_CONTEXT_WINDOW,
        experimental_supported_tools: [],
        input_modalities: model.images === false ? ['text'] : ['text', 'image'],
        supports_search_tool: false,
        // Without it, Codex sends nothing about thinking. A model that does not think refuses the field.
        supports_reasoning_summaries: effort !== undefined,
        default_reasoning_summary: 'none',
      },
    ],
  };
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
