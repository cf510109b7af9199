import { channelOf, type EventType, isEventType } from '../catalogue/catalogue.ts';
import { ReinsError } from '../errors/reins-error.ts';
import { assertToken, isToken } from './tokens.ts';

/** What the subject of an event says: `<type>.<workspaceId>.<requestId>`, for stage requests with the runtime id at its end. */
export interface EventAddress {
  readonly type: EventType;
  readonly workspaceId: string;
  readonly requestId: string;
  /** Only, and always, of `runtime.stage.requested`. */
  readonly runtimeId?: string;
}

const WITH_RUNTIME: EventType = 'runtime.stage.requested';

/** The plain subject that each directive is republished on, for subscribers that want nothing else. */
export const DIRECTIVES_SUBJECT = 'control.directive.emitted';

/** @throws ReinsError `token_invalid`, or `subject_invalid` when the runtime id is missing or not wanted */
export function eventSubject(address: EventAddress): string {
  const { type, runtimeId } = address;
  if ((runtimeId !== undefined) !== (type === WITH_RUNTIME)) {
    throw new ReinsError({
      code: 'subject_invalid',
      message: `only ${WITH_RUNTIME} ends in a runtime id, and always does`,
      path: type,
    });
  }
  const tail = runtimeId === undefined ? '' : `.${assertToken(runtimeId, 'runtimeId')}`;
  return `${type}.${assertToken(address.workspaceId, 'workspaceId')}.${assertToken(address.requestId, 'requestId')}${tail}`;
}

/** The address in a subject, or undefined when it is none of an event that is published. */
export function parseEventSubject(subject: string): EventAddress | undefined {
  const tokens = subject.split('.');
  const withRuntime = subject.startsWith(`${WITH_RUNTIME}.`);
  const runtimeId = withRuntime ? tokens.pop() : undefined;
  const [workspaceId, requestId] = tokens.splice(-2);
  const type = tokens.join('.');
  if (!isEventType(type) || channelOf(type) === 'inbox') return undefined;
  if (!isToken(workspaceId) || !isToken(requestId) || (withRuntime && !isToken(runtimeId))) return undefined;
  return { type, workspaceId, requestId, ...(runtimeId !== undefined && { runtimeId }) };
}

/** Which events a filter selects; what is left out matches everything. */
export interface EventFilter {
  readonly type: EventType;
  readonly workspaceId?: string;
  readonly requestId?: string;
  readonly runtimeId?: string;
}

/** A subject filter for events of one type. */
export function eventFilter({ type, workspaceId = '*', requestId = '*', runtimeId = '*' }: EventFilter): string {
  return `${type}.${workspaceId}.${requestId}${type === WITH_RUNTIME ? `.${runtimeId}` : ''}`;
}
