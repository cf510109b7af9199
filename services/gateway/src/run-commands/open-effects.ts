import { type AnyEvent, defined, type EventOf, type EventType, isObject } from '@reins/contracts';
import type { LogItem } from '@reins/store';
import { LRUCache } from 'lru-cache';
import type { RunLog, RunSubjects } from '../events/run-log.ts';
import type { OpenEffectKindName } from './open-effect-kinds.ts';

/** What an effect needs from outside: a result, a decision of a person, an answer, or a signal. */
export interface OpenEffect {
  readonly effectId: string;
  readonly kind: OpenEffectKindName;
  readonly approvalId?: string;
  /** The name of a signal, the label of a task, or the label or question of a breakpoint. */
  readonly name?: string;
  /** The number of a question. */
  readonly questionNumber?: number;
}

/** The effects of a run that need something from outside, and the ids of those that no longer do. */
export class OpenEffects {
  readonly open = new Map<string, OpenEffect>();
  readonly closed = new Set<string>();
  /** The runs that wait for an operator: paused, or with a process that failed. */
  readonly #stopped = new Set<string>();
  /** The number of the latest question of each stage, open or closed. */
  readonly #questions = new Map<string, number>();

  /** The effect with this id, or with this approval id. */
  find(id: string): OpenEffect | undefined {
    return this.open.get(id) ?? [...this.open.values()].find(({ approvalId }) => approvalId === id);
  }

  /**
   * The number of the question that an answer without a number is for. It is the latest question that the log shows,
   * even if it has an answer already: the answer of a person who saw it must not answer a later one.
   */
  questionNumber(effectId: string): number | undefined {
    return this.#questions.get(effectId);
  }

  /** Whether the run waits for an operator. Known from `forSignal` only. */
  get isStopped(): boolean {
    return this.#stopped.size > 0;
  }

  add(event: AnyEvent): void {
    if (event.type === 'runtime.request.waiting' && event.reason === 'operator') this.#stopped.add(event.effectId);
    if (event.type === 'runtime.request.resumed') this.#stopped.delete(event.effectId);
    const opened = openedBy(event);
    if (opened?.questionNumber !== undefined) this.#questions.set(opened.effectId, opened.questionNumber);
    if (opened) this.open.set(opened.effectId, opened);
    else if (event.type === 'runtime.approval.resolved')
      this.#ended(this.find(event.approvalId)?.effectId ?? event.approvalId);
    else if (event.type !== 'runtime.request.waiting' && 'effectId' in event) this.#ended(String(event.effectId));
  }

  #ended(effectId: string): void {
    this.open.delete(effectId);
    this.closed.add(effectId);
  }
}

/** The effect that an event opens, if any. */
function openedBy(event: AnyEvent): OpenEffect | undefined {
  switch (event.type) {
    case 'runtime.task.requested':
      return { effectId: event.effectId, kind: 'task', name: event.label ?? event.taskId };
    case 'runtime.approval.requested': {
      const { approvalId, subject } = event;
      const kind = subject.kind === 'breakpoint' ? 'breakpoint' : 'approval';
      const effectId = 'effectId' in event ? String(event.effectId) : approvalId;
      return { effectId, kind, approvalId, ...defined({ name: subjectName(subject) }) };
    }
    case 'runtime.stage.waiting': {
      const { effectId, questionNumber, stage } = event;
      return { effectId, kind: 'question', name: stage, ...defined({ questionNumber }) };
    }
    case 'runtime.request.waiting': {
      const { effectId, reason, signal: name } = event;
      return reason === 'signal' ? { effectId, kind: 'signal', ...defined({ name }) } : undefined;
    }
    default:
      return undefined;
  }
}

/** The label of a breakpoint, or else its question. Without a label of the process, the label is the kind. */
function subjectName({ kind, label, detail }: ApprovalSubject): string | undefined {
  if (label !== undefined && label !== kind) return label;
  const payload = isObject(detail) ? detail.payload : undefined;
  const question = isObject(payload) ? payload.question : payload;
  return typeof question === 'string' && question !== '' ? question.slice(0, MAX_NAME) : undefined;
}

const MAX_NAME = 60;

type ApprovalSubject = EventOf<'runtime.approval.requested'>['subject'];

const SIGNAL_TYPES = ['runtime.request.waiting', 'runtime.request.resumed'] as const satisfies EventType[];
const ANSWER_TYPES = [
  'runtime.request.waiting',
  'runtime.task.requested',
  'runtime.task.completed',
  'runtime.task.failed',
  'runtime.approval.requested',
  'runtime.approval.resolved',
  'runtime.stage.waiting',
  'runtime.stage.completed',
  'runtime.stage.failed',
  'runtime.stage.cancelled',
  'runtime.request.resumed',
] as const satisfies EventType[];

/** The most runs whose effects are kept in memory, so that the next command reads only newer events. */
const MAX_RUNS = 64;

interface Known {
  readonly effects: OpenEffects;
  upTo: number;
}

/** Reads from the event log what runs wait for. It forgets what it has read when the connection to the log changes. */
export class OpenEffectsReader {
  readonly #log: Pick<RunLog, 'itemsOf' | 'connection'>;
  readonly #known = new LRUCache<string, Known>({ max: MAX_RUNS });
  #connection: unknown;

  constructor(log: Pick<RunLog, 'itemsOf' | 'connection'>) {
    this.#log = log;
  }

  /** The effects that take an answer. */
  forAnswer(run: RunSubjects): Promise<OpenEffects> {
    return this.#read(run, `answer ${run.requestId}`, ANSWER_TYPES);
  }

  /** The signals that the run waits for, and whether it waits for an operator. */
  forSignal(run: RunSubjects): Promise<OpenEffects> {
    return this.#read(run, `signal ${run.requestId}`, SIGNAL_TYPES);
  }

  async #read(run: RunSubjects, key: string, types: readonly EventType[]): Promise<OpenEffects> {
    const { connection } = this.#log;
    if (connection !== this.#connection) this.#known.clear();
    this.#connection = connection;
    const effects = await this.#updated(run, this.#knownOf(key), types);
    return this.#log.connection === connection ? effects : this.#read(run, key, types);
  }

  #knownOf(key: string): Known {
    const known = this.#known.get(key) ?? { effects: new OpenEffects(), upTo: 0 };
    this.#known.set(key, known);
    return known;
  }

  async #updated(run: RunSubjects, known: Known, types: readonly EventType[]): Promise<OpenEffects> {
    for (const item of await this.#log.itemsOf(run, types, known.upTo)) {
      const seq = seqOf(item);
      // Another call may have read it meanwhile.
      if (seq <= known.upTo) continue;
      known.upTo = seq;
      if ('event' in item) known.effects.add(item.event.body);
    }
    return known.effects;
  }
}

const seqOf = (item: LogItem): number => ('event' in item ? item.event.seq : item.unreadable.seq);
