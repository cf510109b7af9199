#!/usr/bin/env node
/**
 * Runs the scripted model as a process:
 *
 *   main.js [--port 0] [--log requests.jsonl] [--scenarios file.json] [--chunk-ms 0]
 *
 * Prints one line, {"port":N,"url":"http://127.0.0.1:N"}, when it listens. SIGTERM and SIGINT stop it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isReinsError, type Problem } from '@reins/contracts';
import { asObject } from './json.ts';
import { type ScriptedModelOptions, startScriptedModel } from './server.ts';

/** The exit code of all Reins commands for invalid arguments. */
const EXIT_USAGE = 2;

function readOptions(): ScriptedModelOptions {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      log: { type: 'string' },
      scenarios: { type: 'string' },
      'chunk-ms': { type: 'string', default: '0' },
    },
  });
  return {
    port: wholeNumber('--port', values.port, 65_535),
    chunkMs: wholeNumber('--chunk-ms', values['chunk-ms'], 60_000),
    ...(values.log === undefined ? {} : { log: values.log }),
    ...(values.scenarios === undefined
      ? {}
      : { scenarios: asObject(JSON.parse(readFileSync(values.scenarios, 'utf8'))) }),
  };
}

function wholeNumber(option: string, value: string, largest: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= largest) return number;
  throw new RangeError(`${option} must be a whole number from 0 to ${largest}`);
}

function explain(error: unknown): string {
  const line = ({ path, message }: Problem): string => (path === undefined ? message : `${path}: ${message}`);
  if (isReinsError(error)) return error.problems.map(line).join('\n');
  return error instanceof Error ? error.message : String(error);
}

try {
  const model = await startScriptedModel(readOptions());
  process.stdout.write(`${JSON.stringify({ port: model.port, url: model.url })}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void model.close());
} catch (error) {
  process.stderr.write(`scripted-model: ${explain(error)}\n`);
  process.exitCode = EXIT_USAGE;
}
