import type { Bus } from '@reins/bus';
import type { Logger } from '@reins/service-kit';

/** The streams that every request needs. */
const STREAMS = ['INBOX', 'JOURNAL', 'EVENTS'] as const;
/** The share of a limit that new requests leave for the open ones. */
const RESERVE = 0.05;
const INTERVAL_MS = 2_000;

/** How much of something is used, and the limit; a limit below 1 means none. */
interface Use {
  readonly name: string;
  readonly used: number;
  readonly limit: number | undefined;
}

/**
 * Watches whether the streams and the account have room for new requests. A full stream would keep an accepted request
 * from starting.
 */
export class StreamRoom {
  readonly #bus: Bus;
  readonly #log: Pick<Logger, 'debug'>;
  #full: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(bus: Bus, log: Pick<Logger, 'debug'>) {
    this.#bus = bus;
    this.#log = log;
  }

  /** Looks once, and then periodically until it is closed. */
  static async open(bus: Bus, log: Pick<Logger, 'debug'>): Promise<StreamRoom> {
    const room = new StreamRoom(bus, log);
    await room.#look();
    return room;
  }

  /** What is almost full; undefined if there is room. */
  get full(): string | undefined {
    return this.#full;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      this.#full = (await this.#uses()).find(isFull)?.name;
    } catch (error) {
      // While the server does not respond, what was seen last still holds.
      this.#log.debug({ err: error }, 'limits of the streams not read');
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#look(), INTERVAL_MS).unref();
  }

  async #uses(): Promise<readonly Use[]> {
    const { jsm } = this.#bus;
    const [account, ...streams] = await Promise.all([
      jsm.getAccountInfo(),
      ...STREAMS.map((name) => jsm.streams.info(name)),
    ]);
    return [
      { name: 'the NATS account', used: account.storage, limit: account.limits.max_storage },
      ...streams.flatMap(({ config, state }) => [
        { name: `the stream ${config.name}`, used: state.bytes, limit: config.max_bytes },
        { name: `the stream ${config.name}`, used: state.messages, limit: config.max_msgs },
      ]),
    ];
  }
}

const isFull = ({ used, limit = 0 }: Use): boolean => limit > 0 && used >= limit * (1 - RESERVE);
