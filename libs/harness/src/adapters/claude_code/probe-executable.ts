import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { problemOf } from '@reins/contracts';
import type { HarnessEnvironment, HarnessRun } from '../../contract.ts';
import { inProbeHome } from '../../process/probe-home.ts';
import { type ProbedProcess, startProbed } from '../../process/probed-process.ts';
import type { Failure } from '../../providers/probe-providers.ts';
import { claudeVariables, promptFile, writeClaudeHome } from './claude-home.ts';
import { claudeCommand, INSTALL, runArguments } from './command.ts';
import { ControlStream, INITIALIZE } from './control.ts';

/** The version of the executable, and what is wrong with it. */
export interface ExecutableHealth {
  readonly version: string;
  readonly failure?: Failure;
}

const VERSION = /^(\d+\.\d+\.\d+\S*) \(Claude Code\)$/;

/**
 * Checks that the configured command is a Claude Code that runs can use: it prints a version, accepts the arguments of a
 * run, and takes its requests. Calls no model. Leaves no process and no file behind. Never rejects.
 */
export async function probeExecutable(environment: HarnessEnvironment, deadlineMs: number): Promise<ExecutableHealth> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const command = claudeCommand(environment);
    return await inProbeHome('claude', async (homeDir) => {
      const run = probeRun(homeDir);
      await mkdir(run.workDir);
      await writeClaudeHome(run);
      const runToken = environment.probeToken ?? `probe-${randomUUID()}`;
      const variables = {
        ...claudeVariables(run),
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: run.endpoint.baseUrl,
      };
      const start = (args: readonly string[]) =>
        startProbed({ command, args, environment, homeDir, variables, runToken, signal });
      const version = await versionOf(start(['--version']));
      if ('failure' in version) return { version: '', failure: unusable(command, version.failure) };
      const session = { id: randomUUID(), isResumed: false };
      const failure = await contractFailure(start(runArguments(run, promptFile(run), session)));
      if (failure === undefined) return version;
      return { ...version, failure: unusable(`${command} (${version.version})`, failure) };
    });
  } catch (error) {
    const { message, hint } = problemOf(error);
    return { version: '', failure: { reason: message, hint: hint ?? INSTALL } };
  }
}

/** A run with every argument. */
const probeRun = (homeDir: string) =>
  ({
    modelId: 'probe',
    systemPrompt: 'probe',
    thinkingValue: 'high',
    endpoint: { api: 'anthropic-messages', baseUrl: 'http://127.0.0.1:9', apiKey: '' },
    homeDir,
    sessionDir: join(homeDir, 'session'),
    workDir: join(homeDir, 'work'),
  }) as unknown as HarnessRun;

async function versionOf(process: ProbedProcess): Promise<{ version: string } | { failure: string }> {
  const line = await process.nextLine();
  await process.end();
  const version = VERSION.exec(line?.trim() ?? '')?.[1];
  return version === undefined ? { failure: process.problem() } : { version };
}

/** What a run needs and this Claude Code does not have; undefined when it has everything. */
async function contractFailure(process: ProbedProcess): Promise<string | undefined> {
  const claude = new ControlStream((message) => process.send(message), { message: () => undefined, asked: () => ({}) });
  const foreign = Promise.withResolvers<undefined>();
  process.onLine((line) => claude.line(line) || foreign.resolve(undefined));
  const answered = (request: Parameters<ControlStream['request']>[0]) =>
    Promise.race([claude.request(request).then(() => true), process.ended, foreign.promise]);
  try {
    for (const request of [INITIALIZE, { subtype: 'mcp_set_servers', servers: {} }, { subtype: 'interrupt' }])
      if ((await answered(request)) === undefined) return process.problem();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await process.end();
  }
}

const unusable = (command: string, why: string): Failure => ({
  reason: `${command} is not a Claude Code that Reins can use: ${why}`,
  hint: INSTALL,
});
