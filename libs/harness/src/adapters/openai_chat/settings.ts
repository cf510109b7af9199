import type { JsonObject } from '@reins/contracts';
import type { RetrySettings } from './chat-client.ts';

/** `harness.openai_chat.*` */
export interface ChatSettings extends RetrySettings {
  /** The maximum number of model calls in one execution. */
  readonly maxSteps: number;
  /** 0 leaves the limit to the endpoint. */
  readonly maxOutputTokens: number;
}

const DEFAULTS: ChatSettings = { maxSteps: 50, maxOutputTokens: 0, retries: 2, baseDelayMs: 500, maxDelayMs: 30_000 };

/** Reads the settings of the adapter. A missing or invalid value gets its default. */
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
