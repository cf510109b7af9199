import type { CommandRunSubmit, JsonObject, JsonValue } from '@reins/contracts';
import { BARE_RUN, hashJson } from '@reins/journal';
import { SLOTS } from '../machine/inbox-reader.ts';
import { inboxMessage } from './inbox-message.ts';
import { COLLECT, PROBE } from './processes.ts';
import type { WorldOptions } from './world-options.ts';

const WORKSPACE = 'ws';
/** More than the inbox delivers without acknowledgements, and more than the slots of a partition. */
const FLOOD = [70, 120] as const;
const SICK_RUNS = [2, 40] as const;
/** The share of these runs whose journals do not respond in time. */
const HANGING_SHARE = 0.25;
/** Each holds a slot of its partition until it fails. Runs that hold every slot delay the others. */
const MAX_HANGING_RUNS = SLOTS - 1;
const SICK_MESSAGES = 12;
const PROBES = 8;
const PROBE_INTERVAL_MS = 3_000;

/** A request of a well-behaved client, and when it was submitted. */
export interface Probe {
  readonly requestId: string;
  readonly submittedAt: number;
}

/** Signals that were accepted for a run, which returns their payloads in order. */
export interface Flood {
  readonly requestId: string;
  readonly payloads: readonly number[];
}

/**
 * Misbehaving clients and runs: a client floods a queued request with signals, and the journals of several runs cannot
 * be used. At the same time, well-behaved clients submit requests.
 */
export class Crowd {
  readonly #world: WorldOptions;
  readonly #submit: (body: CommandRunSubmit) => void;
  readonly probes: Probe[] = [];
  readonly floods: Flood[] = [];
  /** Whether machines crash at the same time. Then partitions have no owner for some time. */
  hasCrashes = false;

  /** @param submit registers a request of the clients */
  constructor(world: WorldOptions, submit: (body: CommandRunSubmit) => void) {
    this.#world = world;
    this.#submit = submit;
  }

  /** Starts to misbehave. @returns how long the probes are submitted, in virtual milliseconds */
  start(): number {
    const { random, scheduler, server } = this.#world;
    this.#flood('flooded', random.between(...FLOOD), 400);
    const sickRuns = random.between(...SICK_RUNS);
    let hanging = 0;
    for (let number = 1; number <= sickRuns; number += 1) {
      const requestId = `sick${number}`;
      const hangs = hanging < MAX_HANGING_RUNS && random.chance(HANGING_SHARE);
      if (hangs) hanging += 1;
      server.unusableJournals.set(requestId, hangs ? 'hangs' : 'newer');
      this.#send(0, submission(requestId, requestId, PROBE, null));
      for (let message = 1; message <= SICK_MESSAGES; message += 1)
        this.#signal(random.between(10, 2_000), requestId, message);
    }
    for (let number = 1; number <= PROBES; number += 1) {
      const requestId = `probe${number}`;
      scheduler.after(number * PROBE_INTERVAL_MS, () => {
        this.probes.push({ requestId, submittedAt: scheduler.now });
        this.#send(0, submission(requestId, requestId, PROBE, null));
        return false;
      });
    }
    return (PROBES + 2) * PROBE_INTERVAL_MS;
  }

  /** The journals of all runs can be used again. */
  heal(): void {
    this.#world.server.unusableJournals.clear();
  }

  /** Sends signals to a request that waits for another one in its session. */
  #flood(name: string, signals: number, intervalMs: number): void {
    const first = submission(`${name}-first`, name, BARE_RUN, null);
    const second = submission(`${name}-second`, name, COLLECT, signals);
    this.#send(0, first);
    this.#send(1_000, second);
    const payloads = Array.from({ length: signals }, (_, index) => index + 1);
    for (const payload of payloads) this.#signal(2_000 + (payload / signals) * intervalMs, second.requestId, payload);
    this.floods.push({ requestId: second.requestId, payloads });
  }

  #signal(ms: number, requestId: string, payload: number): void {
    const idempotencyKey = `${requestId}.signal${payload}`;
    const head = { requestId, sessionId: requestId, agentId: 'main', workspaceId: WORKSPACE, idempotencyKey };
    const body = { ...head, type: 'command.signal', name: 'n', payload };
    this.#publish(ms, idempotencyKey, requestId.startsWith('flooded') ? { ...body, sessionId: 'flooded' } : body);
  }

  #send(ms: number, body: CommandRunSubmit): void {
    this.#submit(body);
    this.#publish(ms, `${body.requestId}.submit`, body as unknown as JsonObject);
  }

  #publish(ms: number, id: string, body: JsonObject): void {
    this.#world.scheduler.after(ms, () => {
      this.#world.server.publish(inboxMessage(id, body));
      return false;
    });
  }
}

const submission = (requestId: string, sessionId: string, process: string, input: JsonValue): CommandRunSubmit => ({
  type: 'command.run.submit',
  requestId,
  sessionId,
  agentId: 'main',
  workspaceId: WORKSPACE,
  idempotencyKey: requestId,
  revision: hashJson('revision'),
  input,
  process,
  submittedAt: '2026-01-01T00:00:00.000Z',
});
