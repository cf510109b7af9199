import type { EventType, JsonObject } from '@reins/contracts';
import type { Directive } from './directives.ts';

/** A fact without the fields that identify its run, or a directive. */
export type FactDraft = { readonly type: EventType; readonly fields: JsonObject } | Directive;

export const fact = (type: EventType, fields: JsonObject): FactDraft => ({ type, fields });
/** No fact, where the kind has none for this transition. */
export const optional = (type: EventType | undefined, fields: JsonObject): FactDraft[] =>
  type ? [fact(type, fields)] : [];
