import type { SentThinking } from '@reins/model-catalog';
import type { ModelEndpoint } from '../../contract.ts';
import type { ChatRequest } from './protocol.ts';

type ThinkingFields = Pick<ChatRequest, 'reasoning_effort' | 'thinking' | 'output_config'>;

/**
 * The fields of a call that set how much the model thinks. OpenAI's form has levels only. Anthropic's compatible API
 * ignores it and takes the fields of its own API.
 */
export function thinkingFields(sent: SentThinking, { api }: Pick<ModelEndpoint, 'api'>): ThinkingFields {
  if (sent.kind === 'none') return {};
  if (api === 'anthropic-messages') return ofAnthropic(sent);
  return { reasoning_effort: sent.kind === 'budget' ? sent.level : sent.value };
}

function ofAnthropic(sent: Exclude<SentThinking, { kind: 'none' }>): ThinkingFields {
  if (sent.kind === 'off') return { thinking: { type: 'disabled' } };
  if (sent.kind === 'budget') return { thinking: { type: 'enabled', budget_tokens: sent.tokens } };
  return { thinking: { type: 'adaptive' }, output_config: { effort: sent.value } };
}
