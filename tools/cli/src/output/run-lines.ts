import { defined, isObject, type JsonObject, type JsonValue, type Problem } from '@reins/contracts';
import type { QueueDetail } from '../client/api-types.ts';
import { type EventContext, eventLine } from './event-line.ts';

const ENDS: Readonly<Record<string, string>> = {
  'runtime.stage.completed': 'stage',
  'runtime.stage.failed': 'stage',
  'runtime.stage.cancelled': 'stage',
  'runtime.request.completed': 'request',
  'runtime.request.failed': 'request',
  'runtime.request.cancelled': 'request',
};

/** Work in progress. */
interface Work {
  readonly what: string;
  readonly since: number;
  readonly isQueued: boolean;
  /** The label of a task. */
  readonly task?: string;
}

/**
 * The lines of one request for people: with a clock, durations, and what is known from earlier events. Directives,
 * which are for programs, appear as the stages that they start.
 */
export class RunLines {
  readonly #startedAt = new Map<string, number>();
  readonly #preparedStage = new Map<string, string>();
  readonly #maxAttempts = new Map<string, number>();
  /** The effects of each stage of each run, in order: one for each iteration. */
  readonly #iterations = new Map<string, string[]>();
  /** The stages that a fork shares with the original request, by effect. */
  readonly #shared = new Set<string>();
  /** The questions of breakpoints and stages, by effect. */
  readonly #questions = new Map<string, JsonValue>();
  readonly #dir: string | undefined;
  readonly #indent: string;
  /** The next events are of the past: their lines have no commands. */
  isPast: boolean;
  /** The warnings that are on the screen: each preparation has those of the whole workspace. */
  readonly #warnings: Set<string>;
  /** The unavailable servers that are on the screen: each stage reports them. */
  readonly #unavailable: Set<string>;
  /** The names of awaited signals, by effect. */
  readonly #signals = new Map<string, string>();
  #waitIsDescribed = true;
  /** The work in progress by effect, in order: what it is, and since when. */
  readonly #working = new Map<string, Work>();

  /**
   * @param unavailable the servers that are on the screen already, shared by the runs of a request
   * @param shown warnings that are on the screen already
   * @param depth how far a child run is below the request
   */
  constructor(
    {
      isPast = false,
      dir,
      unavailable = new Set(),
    }: Pick<EventContext, 'isPast' | 'dir'> & {
      readonly unavailable?: Set<string>;
    } = {},
    shown: readonly Problem[] = [],
    depth = 0,
  ) {
    this.#unavailable = unavailable;
    this.#indent = '  '.repeat(depth);
    this.#warnings = new Set(shown.map(warningKey));
    this.isPast = isPast;
    this.#dir = dir;
  }

  /** The line of the next event; undefined if it has none. @param at when it was published, or received */
  line(body: JsonObject, at: Date): string | undefined {
    this.#record(body, at);
    const line = this.#textOf(body, at);
    return line === undefined
      ? undefined
      : `${clockText(at)}  ${this.#indent}${line}`.replaceAll('\n', `\n          ${this.#indent}`);
  }

  /**
   * What the request is doing, for a screen on which nothing else appears; undefined if that is not known.
   * @param queue the place of the stage that waits for a host
   */
  working(at: Date, queue?: QueueDetail): string | undefined {
    const latest = [...this.#working.values()].at(-1);
    if (!latest) return undefined;
    const place = queue && this.queuedEffect !== undefined ? `, ${placeText(queue)}` : '';
    const tasks = [...this.#working.values()].filter(({ task }) => task !== undefined);
    const what =
      latest.task !== undefined && tasks.length > 1 ? tasksText(tasks.map(({ task = '' }) => task)) : latest.what;
    return `${clockText(at)}  ${this.#indent}…        ${what}${place} (${durationText(at.getTime() - latest.since)})`;
  }

  /** The effect of the stage that waits for a host, if that is what the request is doing. */
  get queuedEffect(): string | undefined {
    const [effectId, latest] = [...this.#working].at(-1) ?? [];
    return latest?.isQueued ? effectId : undefined;
  }

  #record(body: JsonObject, at: Date): void {
    this.#recordWork(body, at);
    const { type, effectId, stage, requestId } = body;
    switch (type) {
      case 'runtime.prepare.requested':
        this.#preparedStage.set(String(effectId), String(stage));
        break;
      case 'runtime.stage.requested': {
        this.#recordIteration(body);
        const { maxAttempts } = isObject(body.limits) ? body.limits : {};
        if (typeof maxAttempts === 'number') this.#maxAttempts.set(String(effectId), maxAttempts);
        break;
      }
      case 'runtime.stage.started':
        if (isShared(body)) {
          this.#recordIteration(body);
          this.#shared.add(String(effectId));
        }
        // A suspended stage starts again in the same attempt.
        else if (!this.#startedAt.has(attemptKey(body))) this.#startedAt.set(attemptKey(body), at.getTime());
        break;
      case 'runtime.request.started':
        this.#startedAt.set(`request ${requestId}`, at.getTime());
        break;
      case 'runtime.approval.requested':
      case 'runtime.stage.waiting': {
        const question = questionOf(body);
        if (question !== undefined) this.#questions.set(String(effectId ?? body.approvalId), question);
        break;
      }
      case 'runtime.request.waiting':
        this.#waitIsDescribed = body.message !== undefined;
        if (body.signal !== undefined) this.#signals.set(String(effectId), String(body.signal));
    }
  }

  /** The stages that a fork shares count, too: they are started without a request. */
  #recordIteration({ requestId, stage, effectId }: JsonObject): void {
    const key = `${requestId} ${stage}`;
    const effects = this.#iterations.get(key) ?? [];
    if (!effects.includes(String(effectId))) effects.push(String(effectId));
    this.#iterations.set(key, effects);
  }

  #recordWork(body: JsonObject, at: Date): void {
    const type = String(body.type);
    const effectId = String(body.effectId);
    if (/^runtime\.request\.(completed|failed|cancelled)$/.test(type)) this.#working.clear();
    // Tasks remain open while the run waits for something else.
    if (type === 'runtime.request.waiting')
      for (const [id, { task }] of this.#working) if (task === undefined) this.#working.delete(id);
    if (/\.(completed|compiled|rejected|failed|cancelled)$/.test(type)) this.#working.delete(effectId);
    const what = this.#progressOfRun(body) ?? workText(body);
    if (what === undefined) return;
    this.#working.delete(effectId);
    const isQueued = type === 'runtime.stage.requested';
    const task = type === 'runtime.task.requested' ? { task: textOf(body.label ?? body.taskId) } : {};
    this.#working.set(effectId, { what, since: at.getTime(), isQueued, ...task });
  }

  /** What a stage that runs waits for. Before its start, its progress is that of its preparation. */
  #progressOfRun(body: JsonObject): string | undefined {
    if (body.type !== 'runtime.stage.progress' || !this.#startedAt.has(attemptKey(body))) return undefined;
    return `stage ${textOf(body.stage)} ${textOf(body.label)}`;
  }

  #textOf(body: JsonObject, at: Date): string | undefined {
    const progress = this.#progressOfRun(body);
    if (progress !== undefined) return progress.replace(/^stage /, 'stage    ');
    if (body.type === 'control.directive.emitted') return this.#directiveText(body);
    // The line of its end follows at once.
    if (isShared(body)) return undefined;
    const signal = body.type === 'runtime.request.resumed' ? this.#signals.get(String(body.effectId)) : undefined;
    if (signal !== undefined) return `resumed  signal ${signal} arrived`;
    if (body.type === 'runtime.mcp.server.unavailable' && !this.#isNewlyUnavailable(body)) return undefined;
    const question = this.#questions.get(String(body.effectId));
    const line = eventLine(this.#withNewWarnings(body), {
      isPast: this.isPast,
      ...defined({ dir: this.#dir, question, duration: this.#duration(body, at) }),
    });
    if (body.type !== 'runtime.prepare.completed') return this.#isSharedEnd(body) ? `${line} ${SHARED}` : line;
    const stage = this.#preparedStage.get(String(body.effectId));
    // The preparations that a fork shares are not requested: the lines of their stages follow.
    return stage === undefined ? undefined : line?.replace(/^prepared /, `prepared ${stage} `);
  }

  #isSharedEnd({ type, effectId }: JsonObject): boolean {
    return ENDS[String(type)] === 'stage' && this.#shared.has(String(effectId));
  }

  #withNewWarnings(body: JsonObject): JsonObject {
    if (body.type !== 'runtime.prepare.completed' || !Array.isArray(body.warnings)) return body;
    const warnings = body.warnings.filter((one) => isObject(one) && !this.#warnings.has(warningKey(one)));
    for (const one of warnings) if (isObject(one)) this.#warnings.add(warningKey(one));
    return { ...body, warnings };
  }

  /** Whether this server is reported for the first time, or lacks other tools than before. */
  #isNewlyUnavailable({ serverId, missingToolIds }: JsonObject): boolean {
    const key = JSON.stringify([serverId, missingToolIds]);
    if (this.#unavailable.has(key)) return false;
    this.#unavailable.add(key);
    return true;
  }

  /** The stage that a directive starts: which iteration and attempt it is, and where it runs. */
  #directiveText({ directive, reason, extra, requestId }: JsonObject): string | undefined {
    if (!isObject(extra) || extra.stage === undefined) {
      return directive === 'wait' && !this.#waitIsDescribed ? `         ${textOf(reason)}` : undefined;
    }
    const { stage, runtime_id, runtime_source, effect_id, attempt } = extra as JsonObject;
    const iteration = (this.#iterations.get(`${requestId} ${stage}`)?.indexOf(String(effect_id)) ?? 0) + 1;
    const of = this.#maxAttempts.get(String(effect_id));
    const again =
      typeof attempt === 'number' && attempt > 1
        ? `, retry: attempt ${attempt}${of === undefined ? '' : ` of ${of}`}`
        : '';
    return `stage    ${textOf(stage)} → ${textOf(runtime_id)} (${textOf(runtime_source)})${iteration > 1 ? `, iteration ${iteration}` : ''}${again}`;
  }

  #duration(body: JsonObject, at: Date): string | undefined {
    const kind = ENDS[String(body.type)];
    if (kind === undefined) return undefined;
    const startedAt = this.#startedAt.get(kind === 'stage' ? attemptKey(body) : `request ${body.requestId}`);
    return startedAt === undefined ? undefined : durationText(at.getTime() - startedAt);
  }
}

const attemptKey = ({ effectId, attempt }: JsonObject): string => `stage ${effectId} ${attempt}`;

/** Whether a fork shares this stage with the original request. Only then its start names the source of the runtime. */
const isShared = ({ type, runtimeSource }: JsonObject): boolean =>
  type === 'runtime.stage.started' && runtimeSource !== undefined;

const SHARED = '(shared with the original request)';

/** Two reports of one warning have the same code and message. */
const warningKey = ({ code, message }: Pick<Problem, 'code' | 'message'> | JsonObject): string => `${code} ${message}`;

/** What a request does after these events. */
const WORK: Readonly<Record<string, (body: JsonObject) => string | undefined>> = {
  'runtime.plan.requested': () => 'the workspace is being compiled',
  'runtime.prepare.requested': ({ stage }) => `stage ${textOf(stage)} is being prepared`,
  'runtime.stage.requested': ({ stage, runtimeId }) =>
    `stage ${textOf(stage)} waits for a free host that offers ${textOf(runtimeId)}`,
  'runtime.stage.claimed': ({ stage, hostId }) =>
    `stage ${textOf(stage)} is being prepared by ${textOf(hostId)}: files, servers and executor`,
  'runtime.stage.progress': ({ stage, label }) => `stage ${textOf(stage)} is being prepared: ${textOf(label)}`,
  'runtime.stage.started': ({ stage, runtimeId }) => `stage ${textOf(stage)} runs on ${textOf(runtimeId)}`,
  'runtime.task.requested': ({ kind, label, taskId }) =>
    kind === 'hook' ? undefined : `task ${textOf(label ?? taskId)} waits for its result`,
};

const MAX_TASKS = 3;

function tasksText(tasks: readonly string[]): string {
  const more = tasks.length > MAX_TASKS ? ` and ${tasks.length - MAX_TASKS} more` : '';
  return `tasks ${tasks.slice(0, MAX_TASKS).join(', ')}${more} wait for their results`;
}

/** The question of a breakpoint or a stage. */
function questionOf({ subject, question }: JsonObject): JsonValue | undefined {
  if (question !== undefined) return question;
  const detail = isObject(subject) ? subject.detail : undefined;
  return isObject(detail) ? (detail.payload as JsonValue | undefined) : undefined;
}

/** `position 3, about 40 s`. */
export function placeText({ position, slots, estimatedWaitMs }: QueueDetail): string {
  if (slots === 0) return `position ${position}, no host offers the runtime now`;
  return `position ${position}, ${estimatedWaitMs === undefined ? 'time unknown' : `about ${durationText(estimatedWaitMs)}`}`;
}

/** `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** What a request does after this event; undefined if it starts no work. */
export const workText = (body: JsonObject): string | undefined => WORK[String(body.type)]?.(body);

/** The local time of day. */
export const clockText = (at: Date): string => at.toTimeString().slice(0, 8);

const textOf = (value: JsonValue | undefined): string => (value === undefined || value === null ? '' : String(value));
