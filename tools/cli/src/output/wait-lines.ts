import { type ErrorInfo, type JsonValue, waitCommands } from '@reins/contracts';
import type { WaitDetail } from '../client/api-types.ts';
import { questionLines, questionText } from './question-lines.ts';

const MAX_WAITS = 10;

/** What a run waits for, as its fact and the API name it. */
type NamedWait = Pick<WaitDetail, 'reason' | 'message' | 'signal' | 'label'>;

/** What a wait is for, and its details: the label of the process, or else the message if it says more. */
export function waitParts({ reason, message = '', signal, label }: NamedWait): { what: string; detail: string } {
  if (signal !== undefined) return { what: `${reason} ${signal}`, detail: label ?? '' };
  if (reason === 'child' && message.startsWith('child run '))
    return { what: message.split(':', 1)[0] ?? '', detail: label ?? '' };
  // The line has the time of a timer in another place.
  const isDescribed = reason === 'timer' && message.startsWith('the time ');
  return { what: reason, detail: isDescribed ? '' : message };
}

/**
 * What a request and its child runs wait for: for each wait a line, the data of its question, and the commands that end
 * it. Those that end by themselves come first. If there are many, those with commands are shown.
 * @param count how many waits there are, if these are not all
 */
export function waitsText(requestId: string, waits: readonly WaitDetail[], count = waits.length): string {
  const active = waits.filter((wait) => commandsOf(wait).length > 0);
  const passive = waits.filter((wait) => commandsOf(wait).length === 0);
  const room = waits.length > MAX_WAITS ? MAX_WAITS - 1 : MAX_WAITS;
  const shownActive = active.slice(0, room);
  const shown = [...passive.slice(0, room - shownActive.length), ...shownActive];
  const more = count - shown.length;
  return [
    ...shown.flatMap((wait) => waitLines(wait, requestId)),
    ...(more > 0 ? [`and ${more} more; show them with \`reins requests show ${requestId} --json\``] : []),
  ].join('\n');
}

function waitLines(wait: WaitDetail, shownId: string): string[] {
  const { requestId, effectId, expiresAt, question, message, pausedBy } = wait;
  const { what, detail: ownDetail } = waitParts(wait);
  const where = [
    ...(effectId === requestId ? [] : [effectId]),
    ...(requestId === shownId ? [] : [`of child run ${requestId}`]),
    ...(pausedBy === undefined ? [] : [`paused by ${pausedBy}`]),
  ].join(' ');
  const until = expiresAt === undefined ? '' : ` until ${expiresAt}`;
  const detail = message === undefined && question !== undefined ? questionText(question) : ownDetail;
  const line = `waiting for ${what}${where && ` (${where})`}${until}${detail ? `: ${detail}` : ''}`;
  return [
    line,
    ...detailLines(wait, requestId).map((one) => `    ${one}`),
    ...commandsOf(wait).map((one) => `  ${one}`),
  ];
}

const commandsOf = (wait: WaitDetail): string[] => waitCommands(wait);

/** What a person needs before a decision: the data of the question, or where the process failed. */
export function detailLines(
  { reason, effectId, question, error }: Pick<WaitDetail, 'reason' | 'effectId' | 'question' | 'error'>,
  requestId: string,
): string[] {
  const isApproval = reason === 'breakpoint' || reason === 'approval';
  const all = isApproval ? `reins approvals show ${requestId} ${effectId}` : `reins requests show ${requestId} --json`;
  return [...questionLines(question as JsonValue | undefined, all), ...errorLines(error)];
}

/** Where in the code of the process an error was thrown, and what may correct it. */
export function errorLines(error: Pick<ErrorInfo, 'stack' | 'hint'> | undefined): string[] {
  return [
    ...(error?.stack?.split('\n').map((frame) => `at ${frame}`) ?? []),
    ...(error?.hint === undefined ? [] : [error.hint]),
  ];
}
