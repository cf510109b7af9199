import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, problemOf } from '@reins/contracts';
import type { HarnessEnvironment, HarnessRun } from '../../contract.ts';
import { objectOf, textOf } from '../../execution/json.ts';
import { inProbeHome } from '../../process/probe-home.ts';
import { type ProbedProcess, startProbed } from '../../process/probed-process.ts';
import type { Failure } from '../../providers/probe-providers.ts';
import { FIXED_ARGUMENTS, INSTALL, opencodeCommand } from './command.ts';
import { AGENT } from './config.ts';
import { opencodeVariables, writeOpencodeHome } from './opencode-home.ts';
import { RelayClient } from './relay-client.ts';

/** The version of the executable, and what is wrong with it. */
export interface ExecutableHealth {
  readonly version: string;
  readonly failure?: Failure;
}

const VERSION = /^(\d+\.\d+\.\d+[\w.+-]*)$/;
/** What a run calls, as the description of OpenCode's interface names it. */
const ENDPOINTS = [
  ['post', '/session'],
  ['get', '/session/{sessionID}'],
  ['post', '/session/{sessionID}/prompt_async'],
  ['post', '/session/{sessionID}/abort'],
] as const;
/** The events that a run needs. */
const EVENTS = ['message.part.delta', 'message.part.updated', 'session.status', 'session.error', 'session.idle'];

/**
 * Checks that the configured command is an OpenCode that runs can use: it prints a version, accepts the settings of a
 * run, loads the relay, and has the endpoints and events of a run. Calls no model. Leaves no process and no file behind.
 * Never rejects.
 */
export async function probeExecutable(environment: HarnessEnvironment, deadlineMs: number): Promise<ExecutableHealth> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const command = opencodeCommand(environment);
    return await inProbeHome('opencode', async (homeDir) => {
      const run = probeRun(homeDir);
      await mkdir(run.workDir);
      await writeOpencodeHome(run);
      const runToken = environment.probeToken ?? `probe-${randomUUID()}`;
      const variables = opencodeVariables(run);
      const start = (args: readonly string[]) =>
        startProbed({ ...command, args, environment, homeDir, variables, runToken, signal });
      const version = await versionOf(start(['--version']));
      if ('failure' in version) return { version: '', failure: notOpencode(command.command, version.failure) };
      const failure = await contractFailure(start(FIXED_ARGUMENTS));
      if (failure === undefined) return version;
      return { ...version, failure: notOpencode(`${command.command} (${version.version})`, failure) };
    });
  } catch (error) {
    const { message, hint } = problemOf(error);
    return { version: '', failure: { reason: message, hint: hint ?? INSTALL } };
  }
}

/** A run with everything that the configuration has, except for servers of tools, which would be called. */
const probeRun = (homeDir: string) =>
  ({
    providerId: 'probe',
    modelId: 'probe',
    systemPrompt: 'probe',
    thinkingValue: null,
    endpoint: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '', headers: { 'x-probe': '' } },
    mcpServers: [],
    deadlines: { totalMs: 1000, startupMs: 1000, idleMs: 1000, noProgressMs: 1000 },
    environment: { settings: {}, path: '', providers: {} },
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

/** What a run needs and this OpenCode does not have; undefined when it has everything. */
async function contractFailure(process: ProbedProcess): Promise<string | undefined> {
  const client = new RelayClient((message) => process.send(message), {
    event: () => undefined,
    responded: () => undefined,
    failed: () => undefined,
    asked: () => undefined,
  });
  const foreign = Promise.withResolvers<undefined>();
  process.onLine((line) => client.line(line) || foreign.resolve(undefined));
  const before = <T>(awaited: Promise<T>) => Promise.race([awaited, process.ended, foreign.promise]);
  try {
    if ((await before(client.ready.then(() => true))) === undefined) return process.problem();
    const interfaces = await before(client.require('GET', '/doc'));
    if (interfaces === undefined) return process.problem();
    const missing = missingPart(interfaces);
    if (missing !== undefined) return missing;
    const config = await before(client.require('GET', '/config'));
    if (config === undefined) return process.problem();
    return textOf(config.default_agent) === AGENT ? undefined : 'it does not have the setting default_agent';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await process.end();
  }
}

function missingPart(interfaces: JsonObject): string | undefined {
  const paths = objectOf(interfaces.paths);
  const endpoint = ENDPOINTS.find(([method, path]) => objectOf(paths[path])[method] === undefined);
  if (endpoint !== undefined) return `it does not have the endpoint ${endpoint[0].toUpperCase()} ${endpoint[1]}`;
  const text = JSON.stringify(interfaces);
  const event = EVENTS.find((name) => !text.includes(`"${name}"`));
  return event === undefined ? undefined : `it does not have the event ${event}`;
}

const notOpencode = (command: string, why: string): Failure => ({
  reason: `${command} is not an OpenCode that Reins can use: ${why}`,
  hint: INSTALL,
});
