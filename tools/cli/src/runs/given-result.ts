import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { wrongUsage } from '../arguments.ts';
import type { PostFlags } from './flags.ts';
import { jsonFileOption, jsonOption, jsonOrTextFile } from './values.ts';

/** The result that the caller of `task:post` gives. */
export type GivenResult =
  | { readonly status: 'ok'; readonly value: JsonValue }
  | { readonly status: 'error'; readonly error: JsonObject };

const NO_ERROR: JsonObject = { name: 'Error', message: 'Task reported failure' };

/**
 * The result that the options describe.
 * @param base the folder of relative paths
 * @throws ReinsError `wrong_usage` for missing or conflicting options
 */
export function givenResult({ status, value, valueInline, error }: PostFlags, base: string): GivenResult {
  if (status !== 'ok' && status !== 'error') throw wrongUsage('--status must be ok or error');
  if (status === 'error') {
    if (valueInline !== undefined || value !== undefined) throw wrongUsage('--status error takes --error, not a value');
    return { status, error: error === undefined ? NO_ERROR : errorObject(jsonOrTextFile(error, '--error', base)) };
  }
  if (error !== undefined) throw wrongUsage('--status ok takes a value, not --error');
  if (value !== undefined && valueInline !== undefined)
    throw wrongUsage('--value and --value-inline cannot be combined');
  if (valueInline !== undefined) return { status, value: jsonOption(valueInline, '--value-inline') };
  if (value === undefined) throw wrongUsage('--status ok needs --value or --value-inline');
  return { status, value: jsonFileOption(value, '--value', base) };
}

/** Builds the error object. Plain text becomes its message. */
function errorObject(given: JsonValue): JsonObject {
  if (isObject(given)) return { ...NO_ERROR, ...(given as JsonObject) };
  return {
    ...NO_ERROR,
    message: (typeof given === 'string' ? given.trim() : JSON.stringify(given)) || 'Task reported failure',
  };
}
