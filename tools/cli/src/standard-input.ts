import { readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
const PAUSE_MS = 10;

/** Reads standard input to its end. Polls a non-blocking pipe until data arrives. @throws the system error */
export function standardInput(): string {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const chunks: Buffer[] = [];
  for (;;) {
    try {
      const length = readSync(0, chunk);
      if (length === 0) return Buffer.concat(chunks).toString('utf8');
      chunks.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      if (!isNotReady(error)) throw error;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}

const isNotReady = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';
