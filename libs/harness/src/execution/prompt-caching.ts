import type { HarnessRun } from '../contract.ts';

/**
 * Whether a Chat Completions endpoint caches only what a call marks: OpenRouter for the models of Anthropic. The address
 * of the model door has the host of the provider in its path.
 */
export const needsBreakpoints = ({ endpoint, modelId }: Pick<HarnessRun, 'endpoint' | 'modelId'>): boolean =>
  endpoint.api === 'openai-completions' &&
  /\/openrouter\.ai(?:[:/]|$)/.test(endpoint.baseUrl) &&
  modelId.startsWith('anthropic/');
