import type { ChaosReport } from './run-chaos.ts';

/** The report as text. */
export function formatReport(report: ChaosReport): string {
  const { command, crashPoints, dir, endings, entries, events, freezes, kills, ok, requests, seconds, violations } =
    report;
  const ended = Object.entries(endings).map(([ending, count]) => `${count} ${ending}`);
  const took = Object.entries(seconds).map(([what, time]) => `${what} ${time} s`);
  const points = Object.entries(crashPoints).map(([point, count]) => `${point} ${count}`);
  return [
    `${kills} kills, ${freezes} freezes; ${requests} requests: ${ended.join(', ')}; ${events} events, ${entries} entries`,
    ...lostLines(report),
    ...(points.length === 0 ? [] : [`at crash points: ${points.join(', ')}`]),
    took.join(', '),
    ...violations.map(({ check, requestId, message }) => `✗ ${check}${requestId ? ` ${requestId}` : ''}: ${message}`),
    ok ? 'no violations' : `${violations.length} violations; repeat with: ${command}`,
    ...(dir === undefined ? [] : [`logs and data: ${dir}`]),
  ].join('\n');
}

/** What restores removed and what the operator did; nothing without a restore. */
function lostLines({ lostRequests, deadLettersToLostRequests, operator }: ChaosReport): string[] {
  const { resumed, repeated } = operator;
  if (lostRequests + resumed + repeated === 0) return [];
  return [
    `lost by restores: ${lostRequests} requests, with ${deadLettersToLostRequests} dead letters to them`,
    `the operator resumed ${resumed} damaged requests, and sent lost commands to ${repeated} requests again`,
  ];
}
