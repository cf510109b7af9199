import { AsyncLocalStorage } from 'node:async_hooks';

/** Sends a part of what a call printed. `length`: the length of everything so far. */
export type SendPart = (text: string, length: number) => void;

interface OpenCall {
  readonly send: SendPart;
  /** Everything that was printed, up to the limit. */
  text: string;
  /** How much of it was sent. */
  sent: number;
  ended: boolean;
  scheduled: NodeJS.Immediate | undefined;
}

/** The most text of one call, and the most that is kept for the next one while no call runs. */
const MAX_TEXT = 64 * 1024;

/**
 * What the tools of a workspace print, for the author: `console.log`, and everything else that is written to stdout and
 * stderr. It belongs to the call that printed it, or else to the next one. All of it is also written to stderr.
 */
export class CallOutput {
  readonly #calls = new AsyncLocalStorage<OpenCall>();
  #unowned = '';

  constructor() {
    const toStderr = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;
    const write = (chunk: unknown, ...rest: unknown[]): boolean => {
      this.#printed(typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('utf8'));
      return toStderr(chunk, ...rest);
    };
    process.stdout.write = write as typeof process.stdout.write;
    process.stderr.write = write as typeof process.stderr.write;
  }

  /** Carries out a call. Sends what it prints while it runs, and returns all of it with the result. */
  async during<T>(send: SendPart, call: () => Promise<T>): Promise<{ readonly result: T; readonly printed: string }> {
    const open: OpenCall = { send, text: this.#unowned, sent: 0, ended: false, scheduled: undefined };
    this.#unowned = '';
    try {
      const result = await this.#calls.run(open, call);
      return { result, printed: open.text };
    } finally {
      open.ended = true;
      clearImmediate(open.scheduled);
    }
  }

  #printed(text: string): void {
    const call = this.#calls.getStore();
    if (call === undefined || call.ended) {
      this.#unowned = `${this.#unowned}${text}`.slice(0, MAX_TEXT);
      return;
    }
    call.text = `${call.text}${text}`.slice(0, MAX_TEXT);
    call.scheduled ??= setImmediate(() => sendPart(call));
  }
}

function sendPart(call: OpenCall): void {
  call.scheduled = undefined;
  const { text, sent } = call;
  call.sent = text.length;
  if (text.length > sent) call.send(text.slice(sent), text.length);
}
