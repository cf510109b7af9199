import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemOf } from '@reins/contracts';
import type { HarnessEnvironment } from '../../contract.ts';
import { JsonRpc } from '../../process/json-rpc.ts';
import { inProbeHome } from '../../process/probe-home.ts';
import { type ProbedProcess, startProbed } from '../../process/probed-process.ts';
import type { Failure } from '../../providers/probe-providers.ts';
import { INITIALIZE } from './app-server.ts';
import { codexCommand, FIXED_ARGUMENTS, INSTALL } from './command.ts';
import { KEY_VARIABLE } from './config.ts';
import { probeFiles } from './probe-files.ts';

/** The version of the executable, and what is wrong with it. */
export interface ExecutableHealth {
  readonly version: string;
  readonly failure?: Failure;
}

const VERSION = /^codex-cli (\d+\.\d+\.\d+[\w.+-]*)$/;
/** No thread has this id, so the calls of the probe do nothing. */
const NO_THREAD = '00000000-0000-7000-8000-000000000000';
/** What a run calls. Codex answers a method that it does not have with a list of those that it has. */
const METHODS = [
  ['turn/start', { threadId: NO_THREAD, input: [] }],
  ['turn/interrupt', { threadId: NO_THREAD, turnId: NO_THREAD }],
  ['thread/resume', { threadId: NO_THREAD, excludeTurns: true }],
] as const;
const UNKNOWN_METHOD = /unknown variant|method not found/i;

/**
 * Checks that the configured command is a Codex that runs can use: it prints a version, accepts every setting of a run,
 * and has every method that a run calls. Calls no model. Leaves no process and no file behind. Never rejects.
 */
export async function probeExecutable(environment: HarnessEnvironment, deadlineMs: number): Promise<ExecutableHealth> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const command = codexCommand(environment);
    return await inProbeHome('codex', async (homeDir) => {
      await writeHome(homeDir);
      const runToken = environment.probeToken ?? `probe-${randomUUID()}`;
      const variables = { CODEX_HOME: join(homeDir, 'codex'), [KEY_VARIABLE]: 'none' };
      const start = (args: readonly string[]) =>
        startProbed({ ...command, args, environment, homeDir, variables, runToken, signal });
      const version = await versionOf(start(['--version']));
      if ('failure' in version) return { version: '', failure: notCodex(command.command, version.failure) };
      const failure = await contractFailure(start(FIXED_ARGUMENTS), join(homeDir, 'work'));
      if (failure === undefined) return version;
      return { ...version, failure: notCodex(`${command.command} (${version.version})`, failure) };
    });
  } catch (error) {
    const { message, hint } = problemOf(error);
    return { version: '', failure: { reason: message, hint: hint ?? INSTALL } };
  }
}

async function writeHome(homeDir: string): Promise<void> {
  await Promise.all(['codex', 'tmp', 'work'].map((name) => mkdir(join(homeDir, name))));
  const files = Object.entries(probeFiles(homeDir));
  await Promise.all(files.map(([name, text]) => writeFile(join(homeDir, 'codex', name), text)));
}

async function versionOf(process: ProbedProcess): Promise<{ version: string } | { failure: string }> {
  const line = await process.nextLine();
  await process.end();
  const version = VERSION.exec(line?.trim() ?? '')?.[1];
  return version === undefined ? { failure: process.problem() } : { version };
}

/** What a run needs and this Codex does not have; undefined when it has everything. */
async function contractFailure(process: ProbedProcess, workDir: string): Promise<string | undefined> {
  const server = new JsonRpc('Codex', (message) => process.send(message), {
    notified: () => undefined,
    asked: () => undefined,
  });
  process.onLine((line) => server.line(line));
  const call = (method: string, params: Parameters<JsonRpc['call']>[1]) =>
    Promise.race([server.call(method, params), process.ended]);
  try {
    await call('initialize', INITIALIZE);
    server.notify('initialized');
    await call('thread/start', {
      model: 'probe',
      cwd: workDir,
      ephemeral: true,
      approvalPolicy: 'untrusted',
      sandbox: 'danger-full-access',
    });
    for (const [method, params] of METHODS) {
      const answer = await call(method, params).catch((error: Error) => error);
      if (answer instanceof Error && UNKNOWN_METHOD.test(answer.message))
        return `it does not have the method ${method}`;
      if (answer === undefined) return process.problem();
    }
    return process.hasEnded ? process.problem() : undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await process.end();
  }
}

const notCodex = (command: string, why: string): Failure => ({
  reason: `${command} is not a Codex that Reins can use: ${why}`,
  hint: INSTALL,
});
