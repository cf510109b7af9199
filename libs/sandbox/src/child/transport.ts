import { read, writeSync } from 'node:fs';
import { FrameReader, frameOf } from '../protocol/frames.ts';
import type { FromChild, ToChild } from '../protocol/messages.ts';

const INPUT = 0;
const OUTPUT = 3;
const { exit } = process;
const wait = new Int32Array(new SharedArrayBuffer(4));
const { wait: sleep } = Atomics;

/** Tells the owner, and returns when it is out of this process. */
export function send(message: FromChild): void {
  const frame = frameOf(message);
  for (let at = 0; at < frame.length; ) at += written(frame, at);
}

function written(frame: Buffer, at: number): number {
  try {
    return writeSync(OUTPUT, frame, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') exit(0); // Nobody is there any more to be told.
    sleep(wait, 0, 0, 1);
    return 0;
  }
}

/** Hands over what the owner says, message by message. When the owner is gone, so is this process. */
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
