import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { problemOf } from '@reins/contracts';
import type { HarnessEnvironment, HarnessRun } from '../../contract.ts';
import { objectOf, textOf } from '../../execution/json.ts';
import { JsonRpc } from '../../process/json-rpc.ts';
import { inProbeHome } from '../../process/probe-home.ts';
import { type ProbedProcess, startProbed } from '../../process/probed-process.ts';
import type { Failure } from '../../providers/probe-providers.ts';
import { FIXED_ARGUMENTS, hermesCommand, INSTALL } from './command.ts';
import { hermesVariables, writeHermesHome } from './hermes-home.ts';
import { INITIALIZE, RELAY_PREFIX, V2 } from './protocol.ts';

/** The version of the executable, and what is wrong with it. */
export interface ExecutableHealth {
  readonly version: string;
  readonly failure?: Failure;
}

/**
 * Checks that the configured command is a Hermes that runs can use: it speaks its protocol, opens a session with the
 * configuration of a run, and loads the relay with every hook that it needs. Calls no model. Leaves no process and no
 * file behind. Never rejects.
 */
export async function probeExecutable(environment: HarnessEnvironment, deadlineMs: number): Promise<ExecutableHealth> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const { command, folders } = hermesCommand(environment);
    return await inProbeHome('hermes', async (homeDir) => {
      const run = probeRun(homeDir);
      await mkdir(run.workDir);
      await writeHermesHome(run);
      const runToken = environment.probeToken ?? `probe-${randomUUID()}`;
      const variables = { ...hermesVariables(run), REINS_SECRET_0: 'Bearer none' };
      const process = startProbed({
        command,
        folders,
        args: FIXED_ARGUMENTS,
        environment,
        homeDir,
        variables,
        runToken,
        signal,
      });
      const { version, failure } = await contractOf(process, run.workDir);
      if (failure === undefined) return { version };
      const title = version === '' ? command : `${command} (${version})`;
      return { version, failure: { reason: `${title} is not a Hermes that Reins can use: ${failure}`, hint: INSTALL } };
    });
  } catch (error) {
    const { message, hint } = problemOf(error);
    return { version: '', failure: { reason: message, hint: hint ?? INSTALL } };
  }
}

/** A run with everything that the configuration has. */
const probeRun = (homeDir: string) =>
  ({
    providerId: 'probe',
    modelId: 'probe',
    systemPrompt: 'probe',
    thinkingValue: null,
    endpoint: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '' },
    mcpServers: [],
    deadlines: { totalMs: 1000, startupMs: 1000, idleMs: 1000, noProgressMs: 1000 },
    environment: { settings: {}, path: '', providers: {} },
    homeDir,
    sessionDir: join(homeDir, 'session'),
    workDir: join(homeDir, 'work'),
  }) as unknown as HarnessRun;

/** The version, and what a run needs and this Hermes does not have. */
async function contractOf(
  process: ProbedProcess,
  cwd: string,
): Promise<{ readonly version: string; readonly failure?: string }> {
  const loaded = Promise.withResolvers<true>();
  const hermes = new JsonRpc(
    'Hermes',
    (message) => process.send(message),
    {
      notified: (method) => method === `${RELAY_PREFIX}ready` && loaded.resolve(true),
      asked: () => undefined,
    },
    V2,
  );
  const foreign = Promise.withResolvers<undefined>();
  process.onLine((line) => hermes.line(line) || foreign.resolve(undefined));
  const before = <T>(awaited: Promise<T>) => Promise.race([awaited, process.ended, foreign.promise]);
  let version = '';
  try {
    const initialized = await before(hermes.call('initialize', INITIALIZE));
    if (initialized === undefined) return { version, failure: process.problem() };
    version = textOf(objectOf(initialized.agentInfo).version);
    if (objectOf(initialized.agentCapabilities).loadSession !== true)
      return { version, failure: 'it does not have the method session/load' };
    const session = await before(hermes.call('session/new', { cwd, mcpServers: [] }));
    if (session === undefined) return { version, failure: process.problem() };
    // The commands of Hermes are answered without a model.
    const prompt = [{ type: 'text', text: '/version' }];
    const answer = await before(hermes.call('session/prompt', { sessionId: textOf(session.sessionId), prompt }));
    if (answer === undefined) return { version, failure: process.problem() };
    const isLoaded = await Promise.race([loaded.promise, Promise.resolve(false)]);
    return isLoaded ? { version } : { version, failure: 'it does not load the plugin of Reins' };
  } catch (error) {
    return { version, failure: (error as Error).message };
  } finally {
    await process.end();
  }
}
