import { readFile } from 'node:fs/promises';
import { defined, type JsonValue, type Problem, ReinsError, type Wait, waitCommands } from '@reins/contracts';
import { agentsOf, findAgent } from '@reins/workspace-plan';
import { folder, stagesOption, unreadable, wrongUsage } from '../arguments.ts';
import type { QueueDetail, RequestDetail } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { compileLoaded, compileOutput, readWorkspace, showResult } from '../compile/actions.ts';
import { checkFolder } from '../compile/check-folder.ts';
import { installationModels } from '../compile/installation-models.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson, printRun } from '../output/print.ts';
import { problemLine } from '../output/report.ts';
import { RunLines } from '../output/run-lines.ts';
import { inputsOption } from '../runs/values.ts';
import { standardInput } from '../standard-input.ts';
import { ownScript } from '../up/model-source.ts';
import { type EventPatterns, eventsShownFor, shownLine } from './display.ts';
import { followTree, type TreeEvent } from './follow-tree.ts';
import { waitForFinalResult } from './result.ts';
import { Silence } from './silence.ts';
import { type SubmitOptions, submit } from './submit.ts';

export interface RunFlags {
  readonly input?: string;
  readonly file?: string;
  readonly inputs?: string;
  readonly workspace?: string;
  readonly process?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly thinking?: string;
  readonly stage: readonly string[];
  readonly detach?: boolean;
  readonly events?: readonly string[];
}

/** `reins run` */
export async function runCommand(context: CliContext, dir: string, flags: RunFlags): Promise<ExitCode> {
  const options = await submitOptions(dir, flags);
  const client = new GatewayClient(gatewayAddress(context));
  const warnings = await noteIfSlow(context, `compiling ${dir}`, warningsOf(context, options));
  if (!warnings) return EXIT.failed;
  const { requestId } = await noteIfSlow(context, `uploading ${dir}`, submit(client, options));
  if (flags.detach) {
    if (context.json) printJson(context, { requestId, status: 'accepted' });
    else context.out(`${requestId}\n`);
    context.note(followHint(requestId));
    return EXIT.ok;
  }
  return followToEnd(context, client, requestId, {
    dir,
    warnings,
    events: flags.events ?? (await eventsOf(options.dir)),
  });
}

/**
 * Compiles the workspace before anything is uploaded. Prints its warnings, or what is wrong. A process that the command
 * names may run in a workspace that has no plan.
 * @returns the printed warnings; undefined if it does not compile
 * @throws ReinsError `agent_unknown`; `budget_exceeded` if the price of the model of the request is unknown, and the workspace limits the cost
 */
async function warningsOf(
  context: CliContext,
  { dir, process, model, agentId }: SubmitOptions,
): Promise<Problem[] | undefined> {
  const read = await readWorkspace(dir);
  const { modelCheck, requestPriceProblem, script, ...models } = await installationModels(context);
  if (script !== undefined) context.note(`models: ${ownScript(script)}`);
  // The gateway checks the model of a request, which replaces that of the workspace.
  const result = await compileLoaded(dir, read, { ...models, ...(model === undefined && { modelCheck }) });
  if (result.ok && agentId !== undefined) findAgent(agentsOf(result.plan), agentId);
  const limit = result.ok ? result.plan.extensions?.budgets?.max_cost_usd : undefined;
  const unpriced = model === undefined ? undefined : requestPriceProblem?.(model, limit);
  if (unpriced) throw new ReinsError(unpriced);
  const warnings = await checkFolder(read);
  for (const warning of warnings) context.note(`warning ${problemLine(warning)}`);
  if (result.ok || (process !== undefined && process !== 'pipeline')) return warnings;
  if (context.json) printJson(context, compileOutput(result));
  else showResult(context, dir, result, read.refused);
  return undefined;
}

/** How long work may be silent. */
const SILENT_MS = 1_000;

/** Shows what the command does if that takes more than a second. */
async function noteIfSlow<T>({ json, note }: CliContext, what: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => !json && note(`${what} …`), SILENT_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** The events that the workspace configures to be shown. */
async function eventsOf(dir: string): Promise<EventPatterns> {
  return eventsShownFor((await readWorkspace(dir)).input);
}

/** How to follow a request that continues without the command. */
export const followHint = (requestId: string): string =>
  `follow the request with \`reins requests events ${requestId}\``;

/** What the lines of a followed request show. */
interface FollowDisplay {
  readonly events?: EventPatterns;
  /** The folder of the workspace, as the user named it. */
  readonly dir?: string;
  /** Warnings that are on the screen already. */
  readonly warnings?: readonly Problem[];
  /** Ctrl-C ends more than the command. Default: false. */
  readonly isForeground?: boolean;
}

/** Prints the events of a request and of its child runs until it ends, then its result. Returns 0 only when the request completed. */
export async function followToEnd(
  context: CliContext,
  client: GatewayClient,
  requestId: string,
  { events = ['*'], dir, warnings, isForeground = false }: FollowDisplay = {},
): Promise<ExitCode> {
  let hint = isForeground ? undefined : `Ctrl-C ends only this command; ${followHint(requestId)}`;
  const runs = new Map<string, RunLines>();
  const unavailable = new Set<string>();
  const linesOf = ({ body, depth }: TreeEvent): RunLines => {
    const runId = depth === 0 ? requestId : String(body.requestId);
    const lines = runs.get(runId) ?? new RunLines({ unavailable, ...defined({ dir }) }, warnings, depth);
    runs.set(runId, lines);
    return lines;
  };
  const silence = new Silence(async () => {
    const lines = [...runs.values()].findLast((each) => each.working(new Date()) !== undefined);
    if (!lines) return;
    const queue = await queueOf(client, requestId, lines.queuedEffect);
    const line = lines.working(new Date(), queue);
    if (line) context.note(line);
  });
  try {
    for await (const event of followTree(client, requestId)) {
      const { body, at } = event;
      const line = shownLine(body, events, () => linesOf(event).line(body, at));
      if (line) context.note(line);
      if (hint && body.type === 'runtime.request.waiting' && waitCommands(body as unknown as Wait).length > 0) {
        context.note(`          ${hint}`);
        hint = undefined;
      }
      // Steps are not shown, so they must not restart the timer that detects silence.
      if (body.type !== 'runtime.stage.progress') silence.restart();
    }
  } finally {
    silence.end();
  }
  const result = await waitForFinalResult(client, requestId);
  if (context.json) printJson(context, result);
  else printRun(context, result);
  return result.status === 'completed' ? EXIT.ok : EXIT.failed;
}

/** The place of a stage that waits for a host; undefined if it is not known. */
async function queueOf(
  client: GatewayClient,
  requestId: string,
  effectId: string | undefined,
): Promise<QueueDetail | undefined> {
  if (effectId === undefined) return undefined;
  const request = client.get<RequestDetail>(`/requests/${encodeURIComponent(requestId)}`);
  const { stages } = await request.catch(() => ({ stages: [] }));
  return stages.findLast((stage) => stage.effectId === effectId)?.queue;
}

async function submitOptions(dir: string, flags: RunFlags): Promise<SubmitOptions> {
  return {
    dir: folder(dir),
    input: await inputOf(flags),
    stages: stagesOption(flags.stage),
    ...(flags.workspace && { workspaceId: flags.workspace }),
    ...(flags.process && { process: flags.process }),
    ...(flags.session && { sessionId: flags.session }),
    ...(flags.agent && { agentId: flags.agent }),
    ...(flags.model && { model: flags.model }),
    ...(flags.thinking && { thinkingValue: flags.thinking }),
  };
}

async function inputOf({ input, file, inputs }: RunFlags): Promise<JsonValue> {
  if ([input, file, inputs].filter((given) => given !== undefined).length > 1)
    throw wrongUsage('--input, --file and --inputs cannot be combined');
  if (inputs !== undefined) return inputsOption(inputs);
  if (input !== undefined) return input;
  if (file === undefined) throw wrongUsage('the input is missing', 'Pass --input, --file or --inputs.');
  try {
    return file === '-' ? standardInput() : await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause, '--file');
  }
}
