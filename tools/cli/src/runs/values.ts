import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isReinsError, type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import { unreadable, wrongUsage } from '../arguments.ts';
import { jsonProblem } from '../json-problem.ts';
import { standardInput } from '../standard-input.ts';

/** Parses JSON. @throws ReinsError `wrong_usage`, which names the option */
export function jsonOption(text: string, option: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const message = `${option} is not valid JSON: ${jsonProblem(text)}`;
    throw new ReinsError({ code: 'wrong_usage', message, path: option }, { cause });
  }
}

/** Reads a text file; `-` reads standard input. @throws ReinsError `wrong_usage`, which names the option */
export function fileOption(path: string, option: string, base = process.cwd()): string {
  try {
    return path === '-' ? standardInput() : readFileSync(resolve(base, path), 'utf8');
  } catch (cause) {
    throw unreadable(path, cause, option);
  }
}

/** Reads a JSON file. @throws ReinsError `wrong_usage`, which names the option */
export function jsonFileOption(path: string, option: string, base?: string): JsonValue {
  return jsonOption(fileOption(path, option, base), option);
}

/** Reads a file as JSON. Returns the text itself if it is not JSON. */
export function jsonOrTextFile(path: string, option: string, base: string): JsonValue {
  const text = fileOption(path, option, base);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (isReinsError(error)) throw error;
    return text;
  }
}

/** Parses inline JSON, or reads a JSON file. A file whose name is valid JSON, such as `1`, needs a leading `./`. */
export function inputsOption(given: string, option = '--inputs'): JsonValue {
  return /^\s*(?:[[{"]|(?:null|true|false|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*$)/.test(given)
    ? jsonOption(given, option)
    : jsonFileOption(given, option);
}

/** Checks that the value of an option is an object. @throws ReinsError `wrong_usage` */
export function objectOf(value: JsonValue, option: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw wrongUsage(`${option} must be a JSON object`);
}
