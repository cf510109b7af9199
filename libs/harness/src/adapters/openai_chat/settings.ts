import type { JsonObject } from '@reins/contracts';
import type { RetrySettings } from './chat-client.ts';

/** `harness.openai_chat.*` */
export interface ChatSettings extends RetrySettings {
  /** Calls of the model in one execution. */
  readonly maxSteps: number;
  /** Left to the endpoint when 0. */
  readonly maxOutputTokens: number;
}

const DEFAULTS: ChatSettings = { maxSteps: 50, maxOutputTokens: 0, retries: 2, baseDelayMs: 500, maxDelayMs: 30_000 };

/** Defaults where nothing usable is set. */
export function chatSettings(settings: JsonObject): ChatSettings {
  const number = (name: keyof ChatSettings): number => {
    const value = settings[name];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : DEFAULTS[name];
  };
  return {
    maxSteps: Math.max(1, number('maxSteps')),
    maxOutputTokens: number('maxOutputTokens'),
    retries: number('retries'),
    baseDelayMs: number('baseDelayMs'),
    maxDelayMs: number('maxDelayMs'),
  };
}
