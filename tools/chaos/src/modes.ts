import { fileURLToPath } from 'node:url';
import type { System } from '@reins/supervisor';
import { recreateBuckets } from './faults/recreate-buckets.ts';
import { type Restore, setBack } from './faults/set-back.ts';
import type { RequestKind } from './load/kinds.ts';

/** An unfavourable environment or load, in addition to the kills. */
export interface Mode {
  /** Settings that the mode changes, by section. */
  readonly settings?: Readonly<Partial<Record<'limits' | 'gateway', Readonly<Record<string, number>>>>>;
  /** Kinds of requests that are added to the load. */
  readonly kinds?: readonly RequestKind[];
  /** Additional environment variables of a service, by the name of its process (`control-bus-2`). */
  readonly environment?: (service: string) => Readonly<Record<string, string>>;
  /**
   * Changes what is stored. Called after every fifth fault, with the state folder of the system. Requests that were
   * accepted in a lost time are checked only if the restored copy had them.
   */
  readonly changeData?: (system: System, dir: string) => Promise<Restore | undefined>;
}

/** More signals than an inbox delivers without acknowledgements, and how long their request waits for its session. */
const FLOOD = 10_500;
/** Most clients misbehave less, so that the load has time for other requests. */
const MANY = 300;
const FLOOD_SHARE = 1 / 20;
const FLOODED_MS = 20_000;
const FIVE_MINUTES_MS = 300_000;
/** The compiled chaos runner is in `dist`, which has no copy of the file. */
const SHIFT_CLOCK = fileURLToPath(new URL('../src/system/shift-clock.mjs', import.meta.url));

/** The clocks of these services. Owners and hosts are minutes apart, and so are replicas of the control bus. */
const CLOCK_SHIFTS_MS: Readonly<Record<string, number>> = {
  'control-bus': -FIVE_MINUTES_MS,
  'control-bus-2': FIVE_MINUTES_MS,
  'harness-host': FIVE_MINUTES_MS,
  'harness-host-2': -FIVE_MINUTES_MS,
};

/** The modes by name. */
export const MODES: Readonly<Record<string, Mode>> = {
  /** The setup of an application takes longer than a stage may wait for a host. */
  'slow-preparation': {
    settings: { limits: { stageStartWithinMs: 1_000 } },
    kinds: [
      {
        kind: 'slow-preparation',
        weight: 2,
        plan: (_, number) => [
          {
            workspace: 'slow',
            input: `prepared slowly ${number}`,
            stages: { execute: 'openai_chat' },
            endings: ['completed'],
          },
        ],
      },
    ],
  },
  /** Clients flood requests that wait for their session with signals. */
  'misbehaving-client': {
    // The quotas of the gateway would keep a flood from the inbox.
    settings: { gateway: { callsPerKey: 1_000_000, commandsPerRequest: 1_000_000, maxHeldCommands: 2 * FLOOD } },
    kinds: [
      {
        kind: 'flooded',
        weight: 1,
        plan: (random, number) => [
          {
            workspace: 'plain',
            input: `@echo delay ${FLOODED_MS}\n@echo answer first ${number}`,
            endings: ['completed'],
            session: number,
          },
          {
            workspace: 'plain',
            input: `@echo answer flooded ${number}`,
            endings: ['completed'],
            session: number,
            signals: random.chance(FLOOD_SHARE) ? FLOOD : MANY,
          },
        ],
      },
    ],
  },
  /** Buckets are deleted and created again, for example because an operator restores the other streams. */
  'recreated-bucket': { changeData: recreateBuckets },
  /** NATS is restored from a copy of its data. */
  'set-back': { changeData: setBack },
  'clock-skew': {
    environment: (service): Record<string, string> => {
      const shiftMs = CLOCK_SHIFTS_MS[service];
      if (shiftMs === undefined) return {};
      return { NODE_OPTIONS: `--import ${SHIFT_CLOCK}`, CHAOS_CLOCK_SHIFT_MS: String(shiftMs) };
    },
  },
};

/** The selected modes. */
export const modesOf = (names: readonly string[]): Mode[] => names.flatMap((name) => MODES[name] ?? []);
