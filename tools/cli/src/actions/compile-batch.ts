import { createReadStream } from 'node:fs';
import { ReinsError } from '@reins/contracts';
import { unreadable } from '../arguments.ts';
import { type BoundedLine, boundedLines } from '../compile/bounded-lines.ts';
import {
  type CompileResponse,
  compileRequest,
  interfaceError,
  parseJson,
  readCompileRequest,
} from '../compile/contract.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** A line holds a whole workspace with its references; a longer one is answered without being read. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Answers are handed on when this much waits, and whenever no more lines are at hand. */
const FLUSH_LENGTH = 256 * 1024;

/**
 * `reins compile --batch`: one workspace a line in, one answer a line out, in their order. Reading waits until what was answered has been
 * taken, so a batch of any length takes the memory of a few lines.
 */
export async function compileBatch(context: CliContext, file: string): Promise<ExitCode> {
  for await (const lines of boundedLines(chunksOf(file), MAX_LINE_BYTES)) {
    let answers = '';
    for (const line of lines) {
      if (isBlank(line)) continue;
      answers += `${JSON.stringify(answerTo(line))}\n`;
      if (answers.length < FLUSH_LENGTH) continue;
      await print(context, answers);
      answers = '';
    }
    if (answers !== '') await print(context, answers);
  }
  return EXIT.ok;
}

/** Whatever a line holds, it has an answer, and the lines behind it have theirs. */
function answerTo(line: BoundedLine): CompileResponse {
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

/** A line of blanks alone, such as one that ends with a carriage return, asks for nothing. */
function isBlank(line: BoundedLine): boolean {
  return 'bytes' in line && line.bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

async function print(context: CliContext, text: string): Promise<void> {
  context.out(text);
  await context.taken();
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}
