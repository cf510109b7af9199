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
    ...(points.length === 0 ? [] : [`at crash points: ${points.join(', ')}`]),
    took.join(', '),
    ...violations.map(({ check, requestId, message }) => `✗ ${check}${requestId ? ` ${requestId}` : ''}: ${message}`),
    ok ? 'no violations' : `${violations.length} violations; repeat with: ${command}`,
    ...(dir === undefined ? [] : [`logs and data: ${dir}`]),
  ].join('\n');
}
