import type { JsonObject } from './json.ts';

/** The model name in every answer, whatever model the client requests. */
export const MODEL_NAME = 'scripted-model';

/** A tool in a request. `freeform` tools take plain text instead of JSON arguments. */
export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  readonly schema?: JsonObject;
  readonly freeform: boolean;
}

/** One message of the conversation, reduced to what scripts need: its role and its texts. */
export interface Turn {
  readonly kind: 'system' | 'user' | 'assistant' | 'result' | 'other';
  readonly texts: readonly string[];
}

/** A request, independent of its protocol. */
export interface ModelRequest {
  /** The model that the client requested. */
  readonly model: string;
  readonly stream: boolean;
  readonly turns: readonly Turn[];
  readonly tools: readonly OfferedTool[];
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly args: JsonObject | string;
  readonly freeform: boolean;
}

/** An answer, independent of its protocol. */
export interface Answer {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls: readonly ToolCall[];
}

/** Creates ids in the style of the protocols (`msg_…`). They are sequential, so that runs are reproducible. */
export type NextId = (prefix: string) => string;

export function sequentialIds(): NextId {
  let last = 0;
  return (prefix) => {
    last += 1;
    return `${prefix}_scripted${String(last).padStart(6, '0')}`;
  };
}
