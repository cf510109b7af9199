import { channelOf, type EventType, isEventType } from '../catalogue/catalogue.ts';
import { defined } from '../defined.ts';
import { ReinsError } from '../errors/reins-error.ts';
import { assertToken, isToken } from './tokens.ts';

/** The parts of an event subject: `<type>.<workspaceId>.<requestId>`, followed by the runtime id for stage requests. */
export interface EventAddress {
  readonly type: EventType;
  readonly workspaceId: string;
  readonly requestId: string;
  /** Required for `runtime.stage.requested`, and not allowed for other types. */
  readonly runtimeId?: string;
}

const WITH_RUNTIME: EventType = 'runtime.stage.requested';

/** Subject on which every directive is republished, for subscribers of directives only. */
export const DIRECTIVES_SUBJECT = 'control.directive.emitted';

/**
 * Builds the subject of an event.
 * @throws ReinsError `token_invalid`, or `subject_invalid` when the runtime id is missing or not allowed
 */
export function eventSubject(address: EventAddress): string {
  const { type, runtimeId } = address;
  if ((runtimeId !== undefined) !== (type === WITH_RUNTIME)) {
    throw new ReinsError({
      code: 'subject_invalid',
      message: type === WITH_RUNTIME ? `${type} requires a runtime id` : `${type} must not have a runtime id`,
      path: type,
    });
  }
  const tail = runtimeId === undefined ? '' : `.${assertToken(runtimeId, 'runtimeId')}`;
  return `${type}.${assertToken(address.workspaceId, 'workspaceId')}.${assertToken(address.requestId, 'requestId')}${tail}`;
}

/** Parses the subject of a published event. Returns undefined for any other subject. */
export function parseEventSubject(subject: string): EventAddress | undefined {
  const tokens = subject.split('.');
  const withRuntime = subject.startsWith(`${WITH_RUNTIME}.`);
  const runtimeId = withRuntime ? tokens.pop() : undefined;
  const [workspaceId, requestId] = tokens.splice(-2);
  const type = tokens.join('.');
  if (!isEventType(type) || channelOf(type) === 'inbox') return undefined;
  if (!isToken(workspaceId) || !isToken(requestId) || (withRuntime && !isToken(runtimeId))) return undefined;
  return { type, workspaceId, requestId, ...defined({ runtimeId }) };
}

/** Events to select. An omitted field matches everything. */
export interface EventFilter {
  readonly type: EventType;
  readonly workspaceId?: string;
  readonly requestId?: string;
  readonly runtimeId?: string;
}

/** Builds a subject filter for events of one type. */
export function eventFilter({ type, workspaceId = '*', requestId = '*', runtimeId = '*' }: EventFilter): string {
  return `${type}.${workspaceId}.${requestId}${type === WITH_RUNTIME ? `.${runtimeId}` : ''}`;
}
