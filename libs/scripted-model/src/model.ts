import type { JsonObject } from './json.ts';

/** The one name that the server gives itself, whatever model a client asks for. */
export const MODEL_NAME = 'scripted-model';

/** A tool that the request offers. `freeform` tools take plain text instead of JSON arguments. */
export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  readonly schema?: JsonObject;
  readonly freeform: boolean;
}

/** One piece of the conversation, as far as a script cares: who speaks, and which texts it holds. */
export interface Turn {
  readonly kind: 'system' | 'user' | 'assistant' | 'result' | 'other';
  readonly texts: readonly string[];
}

/** What every protocol's reader makes of a request. */
export interface ModelRequest {
  /** The model that the client asked for. */
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

/** What every protocol's writer turns into its own form. */
export interface Answer {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls: readonly ToolCall[];
}

/** Ids in the style of the protocols (`msg_…`), counted so that a run of the server is repeatable. */
export type NextId = (prefix: string) => string;

export function sequentialIds(): NextId {
  let last = 0;
  return (prefix) => {
    last += 1;
    return `${prefix}_scripted${String(last).padStart(6, '0')}`;
  };
}
