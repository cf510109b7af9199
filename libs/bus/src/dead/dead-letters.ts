import { type StoredMsg } from '@nats-io/jetstream';
import { headers as newHeaders } from '@nats-io/nats-core';
import { ERROR_CODES, type ErrorCode, type Problem, ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { HEADER } from '../publish/headers.ts';
import type { PublishReceipt } from '../publish/pub-ack.ts';
import { publishWithAck } from '../publish/publish-with-ack.ts';
import { DEAD_HEADER } from './dead-letter.ts';

/** A message that could not be handled. */
export interface DeadLetter {
  /** Sequence in DEAD. */
  readonly seq: number;
  readonly time: Date;
  /** Stream, subject and sequence of the original message. */
  readonly stream: string;
  readonly subject: string;
  readonly originalSeq: number;
  /** The consumer that dead-lettered it. */
  readonly consumer: string;
  readonly deliveries: number;
  readonly problem: Problem;
  /** Headers of the original message. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: Uint8Array;
}

export interface DeadLetterFilter {
  readonly stream?: string;
  /** Only messages that were on this subject; by default all. */
  readonly subject?: string;
  readonly afterSeq?: number;
  readonly limit?: number;
}

const STREAM = 'DEAD';
const LIMIT = 100;

/** Lists, shows, redrives and removes dead letters. */
export class DeadLetters {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Lists dead letters, oldest first. */
  async list(filter: DeadLetterFilter = {}): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    const subject = `dead.${filter.stream ?? '*'}.${filter.subject ?? '>'}`;
    let seq = (filter.afterSeq ?? 0) + 1;
    while (letters.length < (filter.limit ?? LIMIT)) {
      const found = await this.#bus.jsm.direct.getMessage(STREAM, { seq, next_by_subj: subject });
      if (!found) break;
      letters.push(toLetter(found));
      seq = found.seq + 1;
    }
    return letters;
  }

  async show(seq: number): Promise<DeadLetter | undefined> {
    const found = await this.#bus.jsm.streams.getMessage(STREAM, { seq });
    return found ? toLetter(found) : undefined;
  }

  /**
   * Publishes the message on its original subject again and removes it from DEAD. It gets a new message id, so that the
   * stream accepts it. The event id stays the same, so that consumers recognise it as a repeat.
   * @throws ReinsError `dead_letter_not_found`
   */
  async redrive(seq: number): Promise<PublishReceipt> {
    const letter = await this.show(seq);
    if (!letter)
      throw new ReinsError({ code: 'dead_letter_not_found', message: 'no such dead letter', path: String(seq) });
    const headers = newHeaders();
    for (const [name, value] of Object.entries(letter.headers)) headers.set(name, value);
    headers.set(HEADER.msgId, `redrive.${STREAM}.${seq}`);
    const receipt = await publishWithAck(this.#bus, letter.subject, letter.data, headers);
    await this.remove(seq);
    return receipt as PublishReceipt;
  }

  /** Removes a dead letter. Resolves to false when it does not exist. */
  async remove(seq: number): Promise<boolean> {
    if (!(await this.show(seq))) return false;
    return this.#bus.jsm.streams.deleteMessage(STREAM, seq, false);
  }
}

const OWN = new Set<string>(Object.values(DEAD_HEADER));

function toLetter(message: StoredMsg): DeadLetter {
  const headers: Record<string, string> = {};
  for (const [name, values] of message.header) {
    if (!OWN.has(name) && !/^nats-/i.test(name)) headers[name] = values[0] ?? '';
  }
  const read = (name: string): string => message.header.get(name);
  const stream = read(DEAD_HEADER.stream);
  return {
    seq: message.seq,
    time: message.time,
    stream,
    subject: message.subject.slice(`dead.${stream}.`.length),
    originalSeq: Number(read(DEAD_HEADER.seq)),
    consumer: read(DEAD_HEADER.consumer),
    deliveries: Number(read(DEAD_HEADER.deliveries)),
    problem: parseProblem(read(DEAD_HEADER.problem)),
    headers,
    data: message.data,
  };
}

function parseProblem(text: string): Problem {
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    if (typeof problem.message === 'string' && isErrorCode(problem.code))
      return { ...problem, code: problem.code, message: problem.message };
  } catch {
    // Not written by Reins; shown unchanged.
  }
  return { code: 'internal_error', message: text };
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in ERROR_CODES;
