import { ReinsError } from '@reins/contracts';
import type { HarnessEnvironment, HarnessRun } from '../../contract.ts';
import { thinkingOf } from '../../execution/thinking.ts';
import { claudeTools } from './tools.ts';

/** What every process is started with: messages as JSON lines, and nothing of the user or the project. */
export const FIXED_ARGUMENTS = [
  '-p',
  ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
  ...['--setting-sources', '', '--strict-mcp-config', '--disable-slash-commands'],
  ...['--settings', JSON.stringify({ attribution: { commit: '', pr: '' } })],
  ...['--permission-mode', 'default', '--permission-prompt-tool', 'stdio'],
];

/**
 * The command in `harness.claude_code.command`. Reins does not install Claude Code, because it is proprietary.
 * @throws ReinsError `harness_start_failed` without one
 */
export function claudeCommand({ settings: { command } }: HarnessEnvironment): string {
  if (typeof command === 'string' && command !== '') return command;
  throw new ReinsError({ code: 'harness_start_failed', message: 'no Claude Code is configured', hint: INSTALL });
}

export const INSTALL = 'Install Claude Code, and set harness.claude_code.command to its executable.';

/** The arguments of a run. They contain no secrets. `isResumed`: the session exists. */
export function runArguments(
  run: HarnessRun,
  promptFile: string,
  session: { readonly id: string; readonly isResumed: boolean },
): readonly string[] {
  const sent = thinkingOf(run);
  const effort = sent.kind === 'effort' ? (sent.value ?? sent.level) : sent.kind === 'budget' ? sent.level : undefined;
  return [
    ...FIXED_ARGUMENTS,
    ...['--model', run.modelId],
    ...['--system-prompt-file', promptFile],
    ...['--tools', claudeTools(run).join(',')],
    ...(effort === undefined ? [] : ['--effort', effort]),
    ...(session.isResumed ? ['--resume', session.id, '--system-prompt-snapshot', 'off'] : ['--session-id', session.id]),
  ];
}
