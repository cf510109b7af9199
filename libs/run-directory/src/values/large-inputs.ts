import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { prettyJson, replaceFile } from '../store/files.ts';
import type { RunPaths } from '../store/layout.ts';

/** Arguments that would make a larger file are stored next to `task.json`. */
const LARGE_BYTES = 1024 * 1024;

/** The run-relative path of an effect's arguments, if they have a file of their own. */
export function inputsRefOf(effectId: string, args: JsonValue | undefined): string | undefined {
  return largeInputs(effectId, args)?.ref;
}

function largeInputs(effectId: string, args: JsonValue | undefined) {
  if (args === undefined || typeof args === 'number' || typeof args === 'boolean') return undefined;
  const text = prettyJson(args);
  if (Buffer.byteLength(text) <= LARGE_BYTES) return undefined;
  return { ref: `tasks/${effectId}/blobs/inputs-${hash('sha256', text)}.json`, text };
}

/** The request as `task.json` shows it, with large arguments by reference. */
export function withSmallInputs(effectId: string, request: JsonObject): JsonObject {
  const { args, ...rest } = request;
  const inputsRef = inputsRefOf(effectId, args);
  return inputsRef === undefined ? request : { ...rest, inputsRef };
}

/** Returns the same, and writes the arguments to their own file. */
export function writeSmallInputs(paths: RunPaths, effectId: string, request: JsonObject): JsonObject {
  const { args, ...rest } = request;
  const inputs = largeInputs(effectId, args);
  if (!inputs) return request;
  const path = join(paths.root, inputs.ref);
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, inputs.text, { durable: false });
  return { ...rest, inputsRef: inputs.ref };
}
