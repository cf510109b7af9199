import { createReadStream } from 'node:fs';
import { ReinsError } from '@reins/contracts';
import { unreadable } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type BoundedLine, boundedLines } from './bounded-lines.ts';
import { type CompileResponse, compileRequest, interfaceError, parseJson, readCompileRequest } from './contract.ts';

/** The longest accepted line: a whole workspace with its references. Longer lines get an error without being parsed. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Results are written when this much text has accumulated, and when no complete line is buffered. */
const FLUSH_LENGTH = 256 * 1024;

/**
 * `reins compile --batch`: reads one workspace per line and prints one result per line, in order. Reading waits until standard output has
 * drained, so memory use does not depend on the length of the batch.
 */
export async function compileBatch(context: CliContext, file: string): Promise<ExitCode> {
  for await (const lines of boundedLines(chunksOf(file), MAX_LINE_BYTES)) {
    let results = '';
    for (const line of lines) {
      if (isBlank(line)) continue;
      results += `${JSON.stringify(compileLine(line))}\n`;
      if (results.length < FLUSH_LENGTH) continue;
      await print(context, results);
      results = '';
    }
    if (results !== '') await print(context, results);
  }
  return EXIT.ok;
}

/** Compiles one line. Never throws, so that a bad line does not end the batch. */
function compileLine(line: BoundedLine): CompileResponse {
  try {
    return compileRequest(readCompileRequest(parseJson(bytesOf(line))));
  } catch (error) {
    return { ok: false, error: interfaceError(error), diagnostics: [] };
  }
}

function bytesOf(line: BoundedLine): Uint8Array {
  if ('bytes' in line) return line.bytes;
  throw new ReinsError({ code: 'payload_too_large', message: `the line is longer than ${MAX_LINE_BYTES} bytes` });
}

/** Whether the line has only whitespace, such as a carriage return. */
function isBlank(line: BoundedLine): boolean {
  return 'bytes' in line && line.bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

async function print(context: CliContext, text: string): Promise<void> {
  context.out(text);
  await context.drained();
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}
