import type { Stage } from '@reins/contracts';
import type { Random } from '../random.ts';
import type { WorkspaceName } from './workspaces.ts';

export type Ending = 'completed' | 'failed' | 'cancelled';

/** A request that the load submits. */
export interface PlannedRequest {
  readonly kind: string;
  readonly workspace: WorkspaceName;
  readonly input: string;
  readonly stages?: Partial<Record<Stage, string>>;
  /** The permitted ends, whatever faults occur. */
  readonly endings: readonly Ending[];
  /** Cancelled this many milliseconds after it was accepted. */
  readonly cancelAfterMs?: number;
  /** The answer to all its questions. */
  readonly answer?: string;
  /** The number of signals that its client sends as fast as it can, although nothing waits for them. */
  readonly signals?: number;
  /** Requests with the same number share a session. */
  readonly session?: number;
}

export interface RequestKind {
  readonly kind: string;
  /** Relative frequency. */
  readonly weight: number;
  readonly plan: (random: Random, number: number) => Omit<PlannedRequest, 'kind'>[];
}

const LARGE_CHARACTERS = 100 * 1024;
const COMPLETED = ['completed'] as const;
const FAILED = ['failed'] as const;

const CHAT = { interview: 'openai_chat', execute: 'openai_chat', evaluate: 'openai_chat', reflect: 'openai_chat' };
const plain = (input: string, endings: readonly Ending[] = COMPLETED) =>
  ({ workspace: 'plain', input, endings }) as const;

/** Fails the first evaluation, so that all stages run, two of them twice. */
const LOOP_ON_ECHO = '@echo/evaluate/1 answer {"outcome":"fail","score":0,"reasons":["once more"]}';

/** The kinds of requests in the load. Lines that start with `@echo` are instructions for the echo harness. */
export const REQUEST_KINDS: readonly RequestKind[] = [
  { kind: 'plain', weight: 6, plan: (_, number) => [plain(`@echo answer plain ${number}`)] },
  {
    kind: 'slow',
    weight: 4,
    plan: (random, number) => [plain(`@echo delay ${random.between(200, 3_000)}\n@echo stream\nslow ${number}`)],
  },
  {
    kind: 'files',
    weight: 2,
    plan: (_, number) => [plain(`@echo write out/${number}.txt content ${number}\n@echo answer written`)],
  },
  {
    kind: 'loop',
    weight: 3,
    plan: (_, number) => [{ workspace: 'loop', input: `${LOOP_ON_ECHO}\nloop ${number}`, endings: COMPLETED }],
  },
  {
    kind: 'chat',
    weight: 2,
    plan: (_, number) => [{ workspace: 'loop', input: `chat ${number}`, stages: CHAT, endings: COMPLETED }],
  },
  {
    kind: 'pi',
    weight: 1,
    plan: (_, number) => [
      { workspace: 'loop', input: `pi ${number}`, stages: { ...CHAT, execute: 'pi' }, endings: COMPLETED },
    ],
  },
  {
    kind: 'large',
    weight: 2,
    plan: (_, number) => [plain(`large ${number}\n${'x'.repeat(LARGE_CHARACTERS)}`)],
  },
  {
    kind: 'cancelled',
    weight: 3,
    plan: (random, number) => [
      {
        ...plain(`@echo delay 4000\n@echo answer cancel ${number}`, ['completed', 'cancelled']),
        cancelAfterMs: random.between(0, 3_000),
      },
    ],
  },
  {
    kind: 'hanging',
    weight: 1,
    plan: (random) => [{ ...plain('@echo hang', ['cancelled']), cancelAfterMs: random.between(0, 3_000) }],
  },
  {
    kind: 'asking',
    weight: 2,
    plan: (_, number) => [{ ...plain(`@echo ask colour ${number}?`), answer: 'blue' }],
  },
  { kind: 'failing', weight: 2, plan: () => [plain('@echo error harness_failed', FAILED)] },
  { kind: 'crashing', weight: 1, plan: () => [plain('@echo crash', FAILED)] },
  { kind: 'retried', weight: 1, plan: (_, number) => [plain(`@echo fail 1\n@echo answer retried ${number}`)] },
  {
    kind: 'session',
    weight: 2,
    plan: (random, number) => [
      { ...plain(`@echo delay ${random.between(0, 1_000)}\n@echo answer first ${number}`), session: number },
      { ...plain(`@echo answer second ${number}`), session: number },
    ],
  },
];
