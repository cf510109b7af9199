import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { prettyJson, replaceFile } from './files.ts';
import type { RunPaths } from './layout.ts';

/** Arguments whose file would be larger than this stand beside `task.json`. */
const LARGE_BYTES = 1024 * 1024;

/** Where the arguments of an effect lie apart, run-relative; undefined when they stand in its definition. */
export function inputsRefOf(effectId: string, args: JsonValue | undefined): string | undefined {
  if (args === undefined || typeof args === 'number' || typeof args === 'boolean') return undefined;
  const text = prettyJson(args);
  return Buffer.byteLength(text) > LARGE_BYTES
    ? `tasks/${effectId}/blobs/inputs-${hash('sha256', text)}.json`
    : undefined;
}

/** The request as `task.json` shows it: large arguments by reference, written beside it. */
export function withSmallInputs(paths: RunPaths, effectId: string, request: JsonObject): JsonObject {
  const { args, ...rest } = request;
  const inputsRef = inputsRefOf(effectId, args);
  if (inputsRef === undefined) return request;
  mkdirSync(join(paths.tasks, effectId, 'blobs'), { recursive: true });
  replaceFile(join(paths.root, inputsRef), prettyJson(args), { durable: false });
  return { ...rest, inputsRef };
}
