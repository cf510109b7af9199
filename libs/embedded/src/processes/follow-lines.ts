import type { Readable } from 'node:stream';
import { LineReader, lineText } from '@reins/contracts';

/** The longest line of a server's output that is read. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Reads the output of a process line by line. A line over the limit is dropped. Resolves when the output has ended. */
export function followLines(output: Readable, onLine: (line: string) => void): Promise<void> {
  const reader = new LineReader(MAX_LINE_BYTES, {
    line: (bytes) => onLine(lineText(bytes)),
    tooLong: () => onLine(`(a line of more than ${MAX_LINE_BYTES} bytes was dropped)`),
  });
  output.on('data', (chunk: Buffer) => reader.push(chunk));
  return new Promise((resolve) => {
    output.once('close', () => {
      reader.end();
      resolve();
    });
  });
}
