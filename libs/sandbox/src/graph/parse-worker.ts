import { parentPort } from 'node:worker_threads';
import type { ParseRequest, ParseResponse } from './module-parser.ts';
import { parseModule } from './parse-module.ts';

/** The worker thread of a `ModuleParser`. */
parentPort?.on('message', ({ path, source, type }: ParseRequest) =>
  parentPort?.postMessage(parsed(path, source, type)),
);

function parsed(path: string, source: string, type: ParseRequest['type']): ParseResponse {
  try {
    return { module: parseModule(path, source, type) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
