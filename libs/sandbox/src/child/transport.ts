import { read, writeSync } from 'node:fs';
import { FrameReader, frameOf } from '../protocol/frames.ts';
import type { FromChild, ToChild } from '../protocol/messages.ts';

const INPUT = 0;
const OUTPUT = 3;
const { exit } = process;
const wait = new Int32Array(new SharedArrayBuffer(4));
const { wait: sleep } = Atomics;

/** Sends a message to the owner. Returns when it is written. */
export function send(message: FromChild): void {
  const frame = frameOf(message);
  for (let at = 0; at < frame.length; ) at += written(frame, at);
}

function written(frame: Buffer, at: number): number {
  try {
    return writeSync(OUTPUT, frame, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') exit(0); // The owner has ended.
    sleep(wait, 0, 0, 1);
    return 0;
  }
}

/** Receives messages from the owner. This process exits when the owner ends. */
export function listen(onMessage: (message: ToChild) => void): void {
  const parse = JSON.parse;
  const frames = new FrameReader(Number.POSITIVE_INFINITY, (json) => onMessage(parse(json)), exit);
  const buffer = Buffer.alloc(256 * 1024);
  const next = () =>
    read(INPUT, buffer, 0, buffer.length, null, (error, size) => {
      if (error || size === 0) exit(0);
      frames.push(Buffer.from(buffer.subarray(0, size)));
      next();
    });
  next();
}
