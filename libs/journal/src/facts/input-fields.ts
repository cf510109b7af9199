import { canonicalJson, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { requestOfRun } from '../entries/run-request.ts';
import { isLarge } from '../large/large-values.ts';
import type { RunState } from '../state/run-state.ts';

const MAX_LENGTH = 120;

/**
 * The fields `input` and `inputLine` of the first fact of a run: its input, and the first line of it, for lists. Nothing
 * without an input, or for one that the journal stores by reference: the fact must be the same whether the reference is
 * resolved or not.
 */
export function inputFields(state: Pick<RunState, 'process' | 'inputs' | 'metadata'>): JsonObject {
  if (state.inputs === null || isLarge(state.inputs)) return {};
  const { input } = requestOfRun(state);
  return { ...(input !== null && { input }), ...inputLineField(state.inputs) };
}

function inputLineField(inputs: JsonValue): JsonObject {
  const given = isObject(inputs) ? (inputs.input ?? inputs.text ?? inputs) : inputs;
  // Canonical: the fact is derived again from the stored journal, whose keys are in another order.
  const text = typeof given === 'string' ? given : canonicalJson(given);
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  if (line === '') return {};
  const letters = [...line];
  return { inputLine: letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH - 1).join('')}…` : line };
}
