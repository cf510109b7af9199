import { type ErrorInfo, type JsonValue, waitCommands } from '@reins/contracts';
import type { WaitDetail } from '../client/api-types.ts';
import { questionLines, questionText } from './question-lines.ts';

const MAX_WAITS = 10;
/** Whether the line itself says what the message says: the signal, or the time of a timer that has no label. */
export const isDescribed = (reason: string, message = ''): boolean =>
  reason === 'signal' || (reason === 'timer' && message.startsWith('the time '));

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
  const { requestId, reason, effectId, expiresAt, question, message, signal } = wait;
  const isSelfDescribed = reason === 'child' && message?.startsWith('child run ') === true;
  const what = isSelfDescribed ? message : signal === undefined ? reason : `${reason} ${signal}`;
  const where = [
    ...(effectId === requestId ? [] : [effectId]),
    ...(requestId === shownId ? [] : [`of child run ${requestId}`]),
  ].join(' ');
  const until = expiresAt === undefined ? '' : ` until ${expiresAt}`;
  const isKnown = isSelfDescribed || isDescribed(reason, message);
  const detail = isKnown ? '' : (message ?? (question === undefined ? '' : questionText(question)));
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
