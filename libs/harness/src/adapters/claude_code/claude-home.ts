import { existsSync } from 'node:fs';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HarnessRun } from '../../contract.ts';
import { thinkingOf } from '../../execution/thinking.ts';
import { childEnvironment } from '../../process/environment.ts';

const DEFAULT_RETRIES = 2;

/** Claude Code calls no other address than that of the model, and offers the tools of servers directly. */
const VARIABLES: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
  ENABLE_TOOL_SEARCH: 'false',
};

type Home = Pick<HarnessRun, 'homeDir'>;

const configDir = ({ homeDir }: Home): string => join(homeDir, 'claude');
/** The file with the system prompt. */
export const promptFile = ({ homeDir }: Home): string => join(homeDir, 'system-prompt.txt');

/**
 * Writes what Claude Code reads at its start. The files contain no secrets. It keeps sessions in a folder that is named
 * after the working directory, which is a link to the session folder: so another run continues them elsewhere.
 */
export async function writeClaudeHome(run: HarnessRun): Promise<void> {
  const projects = join(configDir(run), 'projects');
  await Promise.all(
    [projects, run.sessionDir, join(run.homeDir, 'tmp')].map((path) => mkdir(path, { recursive: true })),
  );
  await writeFile(promptFile(run), run.systemPrompt);
  const project = (await realpath(run.workDir)).replace(/[^a-zA-Z0-9]/g, '-');
  await symlink(run.sessionDir, join(projects, project));
}

/** Whether the session folder has this session. */
export const hasSession = ({ sessionDir }: Pick<HarnessRun, 'sessionDir'>, id: string): boolean =>
  /^[\w-]+$/.test(id) && existsSync(join(sessionDir, `${id}.jsonl`));

/** The variables of a process, without secrets. */
export const claudeVariables = (run: Home): Record<string, string> => ({
  ...VARIABLES,
  CLAUDE_CONFIG_DIR: configDir(run),
});

export function claudeEnvironment(run: HarnessRun): Record<string, string> {
  const { endpoint, environment, model, modelId } = run;
  const { retries = DEFAULT_RETRIES } = environment.settings;
  const headers = Object.entries(endpoint.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return childEnvironment({
    homeDir: run.homeDir,
    runToken: run.runToken,
    path: environment.path,
    extra: {
      ...claudeVariables(run),
      ANTHROPIC_BASE_URL: endpoint.baseUrl,
      ANTHROPIC_API_KEY: endpoint.apiKey || 'none',
      ANTHROPIC_SMALL_FAST_MODEL: modelId,
      CLAUDE_CODE_MAX_RETRIES: String(retries),
      ...(headers.length > 0 && { ANTHROPIC_CUSTOM_HEADERS: headers.join('\n') }),
      ...(model?.maxOutputTokens !== undefined && { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(model.maxOutputTokens) }),
      ...(thinkingOf(run).kind === 'off' && { MAX_THINKING_TOKENS: '0' }),
    },
  });
}
