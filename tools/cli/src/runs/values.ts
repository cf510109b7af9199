import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isReinsError, type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import { unreadable, wrongUsage } from '../arguments.ts';
import { standardInput } from '../standard-input.ts';

/** A text as JSON. @throws ReinsError `wrong_usage`, naming the option */
export function jsonOption(text: string, option: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new ReinsError({ code: 'wrong_usage', message: `${option} is no JSON`, path: option }, { cause });
  }
}

/** The text of a file, `-` standing for standard input. @throws ReinsError `wrong_usage`, naming the option */
export function fileOption(path: string, option: string, base = process.cwd()): string {
  try {
    return path === '-' ? standardInput() : readFileSync(resolve(base, path), 'utf8');
  } catch (cause) {
    throw unreadable(path, cause, option);
  }
}

/** A JSON file. @throws ReinsError `wrong_usage`, naming the option */
export function jsonFileOption(path: string, option: string, base?: string): JsonValue {
  return jsonOption(fileOption(path, option, base), option);
}

/** A file that may as well hold plain text, which is then the text itself. */
export function jsonOrTextFile(path: string, option: string, base: string): JsonValue {
  const text = fileOption(path, option, base);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (isReinsError(error)) throw error;
    return text;
  }
}

/** JSON in place, or a file that holds it; a file that is called as a number or a literal is told by `./`. */
export function inputsOption(given: string, option = '--inputs'): JsonValue {
  return /^\s*(?:[[{"]|(?:null|true|false|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*$)/.test(given)
    ? jsonOption(given, option)
    : jsonFileOption(given, option);
}

/** An option that has an object. */
export function objectOf(value: JsonValue, option: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw wrongUsage(`${option} is no JSON object`);
}
