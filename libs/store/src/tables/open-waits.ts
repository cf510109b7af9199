import { type AnyEvent, defined, type EventOf, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { errorJson, timestamp } from '../projection/values.ts';

/** One of the things that a run waits for, as `requests.waits` stores it. Fields without a value are absent. */
export type OpenWait = JsonObject & {
  /** A reason of `runtime.request.waiting`, or `task`. */
  readonly reason: string;
  readonly effectId: string;
  readonly since: string;
  readonly expiresAt?: string;
  readonly message?: string;
  readonly signal?: string;
  /** The label that the process gave to it. */
  readonly label?: string;
  readonly questionNumber?: number;
  readonly process?: string;
  readonly error?: JsonObject;
  /** The person or the key that paused the run. */
  readonly pausedBy?: string;
};

/** Tasks that no one answers: requests have no runner for hooks, so a hook is refused at once. */
const REFUSED_KIND = 'hook';

/** The waits of a run with all of their fields. Of the others, a row has only what is needed to end them. */
const DESCRIBED_WAITS = 50;

/** The waits in a row of `requests`. */
export function openWaitsIn(value: JsonValue): readonly OpenWait[] {
  return Array.isArray(value) ? (value.filter(isObject) as OpenWait[]) : [];
}

/** The waits of a run after an event; the same list if the event changes nothing. Pure. */
export function waitsAfter(waits: readonly OpenWait[], body: AnyEvent, time: string): readonly OpenWait[] {
  switch (body.type) {
    case 'runtime.request.waiting':
      return opened(waits, waitOf(body, time));
    case 'runtime.task.requested':
      return body.kind === REFUSED_KIND ? waits : opened(waits, taskOf(body, time));
    case 'control.directive.emitted':
      return body.directive === 'wait' ? pausedBy(waits, body) : waits;
    case 'runtime.request.resumed':
      // A wait for an operator names the failed effect; the run that continues names itself.
      return without(
        waits,
        (wait) => wait.effectId === body.effectId || (isOfRun(wait) && body.effectId === body.requestId),
      );
    case 'runtime.task.completed':
    case 'runtime.task.failed':
    case 'runtime.stage.completed':
    case 'runtime.stage.failed':
    case 'runtime.stage.cancelled':
      return without(waits, (wait) => wait.effectId === body.effectId);
    case 'runtime.request.completed':
    case 'runtime.request.failed':
    case 'runtime.request.cancelled':
      return waits.length === 0 ? waits : [];
    default:
      return waits;
  }
}

/** Adds a wait, or replaces that of the same effect in its place. */
function opened(waits: readonly OpenWait[], wait: OpenWait): readonly OpenWait[] {
  const known = waits.findIndex((one) => isSame(one, wait));
  if (known >= 0) {
    const { since = wait.since, pausedBy: by } = waits[known] ?? {};
    return waits.with(known, { ...wait, since, ...defined({ pausedBy: by }) });
  }
  // A process that requests something new runs again: its error is over, even without a resume.
  const left = without(waits, ({ error }) => error !== undefined && !isOfRun(wait));
  const { reason, effectId, since } = wait;
  return [...left, left.length < DESCRIBED_WAITS || isOfRun(wait) ? wait : { reason, effectId, since }];
}

/** Only the directive of a pause names who requested it. */
function pausedBy(
  waits: readonly OpenWait[],
  { requestId, extra }: EventOf<'control.directive.emitted'>,
): readonly OpenWait[] {
  const by = extra?.requested_by;
  const at = waits.findIndex(({ reason, effectId }) => reason === 'operator' && effectId === requestId);
  const wait = waits[at];
  return typeof by === 'string' && wait ? waits.with(at, { ...wait, pausedBy: by }) : waits;
}

const isSame = (one: OpenWait, other: OpenWait): boolean =>
  isOfRun(one) || isOfRun(other) ? one.reason === other.reason : one.effectId === other.effectId;

/** Whether the run itself waits, not one of its effects. */
const isOfRun = ({ reason }: OpenWait): boolean => reason === 'operator' || reason === 'process';

function without(waits: readonly OpenWait[], isEnded: (wait: OpenWait) => boolean): readonly OpenWait[] {
  const left = waits.filter((wait) => !isEnded(wait));
  return left.length === waits.length ? waits : left;
}

function waitOf(body: EventOf<'runtime.request.waiting'>, since: string): OpenWait {
  const { reason, effectId, expiresAt, message, signal, label, questionNumber, process, error } = body;
  return {
    reason,
    effectId,
    since,
    ...(expiresAt !== undefined && { expiresAt: timestamp(expiresAt) ?? expiresAt }),
    ...defined({ message, signal, label, questionNumber, process }),
    ...(error && { error: errorJson(error) as JsonObject }),
  };
}

function taskOf(body: EventOf<'runtime.task.requested'>, since: string): OpenWait {
  const { effectId, label, taskId, deadline, definition } = body;
  const name = label ?? taskId;
  const title = typeof definition?.title === 'string' && definition.title !== name ? definition.title : undefined;
  return {
    reason: 'task',
    effectId,
    since,
    message: title === undefined ? name : `${name}: ${title}`,
    ...defined({ label }),
    ...(deadline !== undefined && { expiresAt: timestamp(deadline) ?? deadline }),
  };
}
