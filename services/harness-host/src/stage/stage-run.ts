import type { BusMessage, HeldClaim } from '@reins/bus';
import {
  type AdapterEvent,
  isObject,
  type JsonValue,
  parseJson,
  ReinsError,
  type RuntimeStageRequested,
} from '@reins/contracts';
import type { HarnessResult, ModelEndpoint } from '@reins/harness';
import {
  decodeHostRequest,
  type HostRequest,
  type ResolvedHostRequest,
  resolveHostRequest,
} from '@reins/runtime-config';
import type { Denial } from '@reins/tool-gateway';
import { followLinks } from '@reins/workspace-tree';
import type { RunFolder } from '../executor/run-folder.ts';
import type { StageExecutor } from '../executor/stage-executor.ts';
import type { RunPolicy } from '../policy/run-policy.ts';
import { Redactor } from '../secrets/redactor.ts';
import { withOutputSchema } from '../services/output-schema.ts';
import { OwnTools } from '../services/own-tools.ts';
import { mappingsOf, needsServices, type StageServices, servicesStartTimeout } from '../services/stage-services.ts';
import { AdapterEventPublisher } from '../signals/signal-publisher.ts';
import type { StageAnswer } from './answers.ts';
import { endpointOf, modelOf } from './endpoint.ts';
import { harnessRunOf } from './harness-run.ts';
import { ModelCalls } from './model-calls.ts';
import { NetworkOfStage } from './network-of-stage.ts';
import { withinBudget } from './outcome.ts';
import { PreparationReport } from './preparation-report.ts';
import { withProvider } from './provider-error.ts';
import { resumedRequest } from './resumed-request.ts';
import { retryWhileClaimed } from './retry-while-claimed.ts';
import { ServicesOfStage } from './services-of-stage.ts';
import { StageControls } from './stage-controls.ts';
import { type PreparedStage, StageEnd } from './stage-end.ts';
import type { StagePorts } from './stage-ports.ts';
import { StageTrace } from './stage-trace.ts';
import { StageWorkspace } from './stage-workspace.ts';
import { Stopwatch } from './stopwatch.ts';
import { ToolResults } from './tool-results.ts';

/** The longest delay of a Node.js timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A stage that this host has claimed, and its host request, which is being loaded. */
export interface ClaimedStage {
  readonly claim: HeldClaim;
  readonly hostRequest: Promise<Uint8Array>;
}

/** One attempt of a stage, from its host request to its answer. */
export class StageRun {
  readonly #ports: StagePorts;
  readonly #event: RuntimeStageRequested;
  readonly #message: BusMessage;
  readonly #claim: HeldClaim;
  readonly #hostRequest: Promise<Uint8Array>;
  readonly #controls = new StageControls();
  readonly #stopwatch = new Stopwatch();
  readonly #trace: StageTrace;
  readonly #report: PreparationReport;
  /** When the attempt was claimed, by the clock of the NATS server, in milliseconds since the epoch. */
  readonly #queuedUntil: number;
  /** When the attempt was claimed, by `performance.now()`. */
  readonly #claimedAt = performance.now();
  /** Every requested executor, including those that were still starting when the run ended. */
  readonly #executors: Promise<StageExecutor>[] = [];
  readonly #services: ServicesOfStage;
  readonly #modelCalls: ModelCalls;
  readonly #toolResults = new ToolResults();
  readonly #network: NetworkOfStage;
  readonly #end: StageEnd;
  /** What restricts the tools of this run. Undefined: nothing but its capability surface. */
  #policy: RunPolicy | undefined;
  /** Where signals go, once they can be redacted. */
  #published: AdapterEventPublisher | undefined;

  constructor(
    ports: StagePorts,
    event: RuntimeStageRequested,
    message: BusMessage,
    { claim, hostRequest }: ClaimedStage,
  ) {
    this.#ports = ports;
    this.#event = event;
    this.#message = message;
    this.#claim = claim;
    this.#hostRequest = hostRequest;
    const [controls, stopwatch, toolResults] = [this.#controls, this.#stopwatch, this.#toolResults];
    this.#end = new StageEnd({ event, claim, controls, stopwatch, toolResults });
    this.#services = new ServicesOfStage(ports.services, ports.requests, event);
    this.#trace = new StageTrace(ports.telemetry, event, message);
    const { modelDoor: door, measureCall: measure, budgetUses: uses } = ports;
    const report = (label: string) => this.#report.running(label);
    this.#modelCalls = new ModelCalls({ door, event, uses, trace: this.#trace, measure, report });
    this.#network = new NetworkOfStage(ports, event, (signal) => {
      if (this.#controls.stopped !== 'lost') this.#published?.accept(signal);
    });
    this.#queuedUntil = ports.now().getTime();
    this.#report = new PreparationReport({
      effectId: event.effectId,
      claimed: { type: 'runtime.stage.claimed', hostId: ports.hostId },
      send: (report, nth) => ports.answers.send(message, event, report, nth),
      log: ports.log,
    });
  }

  /**
   * Runs the stage. Resolves with its answer after every signal is stored. The caller sends the answer.
   * @throws ReinsError `stage_claimed` when the claim was lost; then no answer may be sent
   */
  async execute(): Promise<StageAnswer> {
    let unwatch = () => {};
    try {
      const lostSignals = [this.#claim.signal, this.#message.signal];
      // Retried, because an abandoned claim means an unknown outcome, although nothing was done yet.
      unwatch = await retryWhileClaimed(this.#claim, () =>
        this.#controls.follow(this.#ports, this.#event, lostSignals),
      );
      const answer = await this.#work().catch((error: unknown) => this.#end.afterError(error));
      if (this.#controls.stopped === 'lost' || !this.#claim.valid) throw claimLost();
      this.#trace.answered(answer);
      return answer;
    } catch (error) {
      this.#trace.failed(error);
      throw error;
    } finally {
      unwatch();
      await this.#report.end();
    }
  }

  /** Stops all processes of the run and removes its files from this machine. */
  async dispose(): Promise<void> {
    this.#modelCalls.close();
    this.#network.close();
    try {
      await this.#services.close();
    } finally {
      const settled = await Promise.allSettled(this.#executors);
      const executors = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      await Promise.all(executors.map((executor) => this.#ports.pool.dispose(executor))).finally(() =>
        this.#services.disposed(),
      );
    }
  }

  async #work(): Promise<StageAnswer> {
    // It was cancelled while it waited for a host.
    if (this.#controls.stopped) return this.#end.stoppedAnswer();
    const prepared = await this.#prepare();
    this.#trace.prepared(prepared.run, prepared.redactor);
    if (this.#controls.stopped) return this.#end.stoppedAnswer();
    const started = this.#sendStarted(prepared);
    // Awaited after the run. This prevents an unhandled rejection before then.
    void started.catch(() => undefined);
    const outcome =
      prepared.services?.requiredServerFailure(prepared.redactor) ??
      withProvider(this.#checked(await this.#carryOut(prepared)), prepared.request);
    // The model door has measured every call, whether or not the executor has reported it.
    const usage = await this.#modelCalls.end();
    const measured = usage ? { ...outcome, usage } : outcome;
    const result = withinBudget(measured, this.#modelCalls.overBudget);
    await this.#services.settle(
      (result.status === 'ok' || result.status === 'waiting') && this.#controls.stopped === undefined,
    );
    const [answer] = await Promise.all([this.#end.answerOf(result, prepared), started, prepared.signals.settled()]);
    this.#services.keep();
    return answer;
  }

  async #prepare(): Promise<PreparedStage> {
    const { requestId, stage, runtimeId, tree } = this.#event;
    const { registry, providers, log } = this.#ports;
    const { capabilities } = registry.get(runtimeId);
    const hostRequest = await this.#stopwatch.time('read', async () =>
      resumedRequest(decodeHostRequest(parseJson(await this.#hostRequest)), this.#event.resume),
    );
    const executor = await this.#stopwatch.time('executor', () => this.#takeExecutor(hostRequest));
    const { runToken } = executor;
    this.#policy = await this.#openPolicy(hostRequest);
    const areNeeded = needsServices(registry.get(runtimeId), hostRequest, this.#policy !== undefined);
    const { folder, isReused } = areNeeded
      ? await this.#services.folderFor(executor.folder, hostRequest)
      : { folder: executor.folder, isReused: false };
    this.#report.step('writing the files of the stage');
    const { request: resolved, secrets } = this.#resolve(hostRequest, folder.workDir);
    if (capabilities.mcp === 'none' && resolved.mcp_servers.length > 0)
      log.warn({ requestId, stage, runtimeId }, 'MCP servers skipped: the runtime does not support MCP');
    const workspace = new StageWorkspace(this.#ports.trees, folder, tree);
    const session = this.#event.harnessSessionId ?? resolved.harness_session_id;
    const [, restored] = await this.#stopwatch.time('materialise', () =>
      Promise.all([
        workspace.materialiseInput(isReused),
        capabilities.resume ? workspace.restoreSession(session) : undefined,
      ]),
    );
    if (this.#event.resume && isObject(restored?.state)) this.#toolResults.restore(restored.state.toolResults);
    await this.#services.resume();
    const request = await withOutputSchema(this.#ports.services, resolved, folder);
    const services = areNeeded ? await this.#startServices(request, folder, restored?.state) : undefined;
    this.#report.step('starting the executor');
    const model = modelOf(request, providers);
    const endpoint = this.#modelCalls.open({
      endpoint: endpointOf(request, providers, capabilities.model),
      named: { provider: request.provider_id ?? '', model: request.model_id ?? '' },
      model,
    });
    const network = await this.#network.open(services?.gateway);
    const redactor = new Redactor([...secrets, ...(services?.secrets ?? []), ...tokenOf(endpoint), ...network.secrets]);
    const signals = this.#signals(redactor);
    this.#published = signals;
    const whole = harnessRunOf({
      event: this.#event,
      request,
      runToken,
      folder,
      model,
      endpoint,
      environment: this.#network.environmentIn(network),
      images: capabilities.images,
      nativeSessionId: restored?.nativeId,
      runForMs: this.#runForMs(request),
      mcpServers: services?.endpoints ?? [],
      callDecisions: this.#policy && services?.callDecisions,
      missingTools: services?.missingTools ?? [],
    });
    // The rest of the conversation is in the session.
    const run = this.#event.resume ? { ...whole, prompt: whole.instruction } : whole;
    this.#modelCalls.publishTo(signals, { deadlines: run.deadlines, startedAt: Date.now() });
    return { workspace, executor, redactor, run, request, services, signals };
  }

  async #startServices(request: HostRequest, folder: RunFolder, state: JsonValue | undefined): Promise<StageServices> {
    const stop = new AbortController();
    void this.#controls.stop.then(() => stop.abort());
    const timeout = setTimeout(() => stop.abort(servicesStartTimeout()), this.#prepareForMs(request));
    const onStep = (label: string) => this.#report.step(label);
    const onDenied = (denial: Denial) => {
      if (this.#controls.stopped !== 'lost') this.#published?.denied(denial);
    };
    const start = async () => {
      const resumedWith = this.#event.resume?.answer;
      const own = await OwnTools.create({ request, state, resumedWith, readFile: (path) => this.#readInput(path) });
      return this.#services.start(
        {
          runId: this.#event.requestId,
          trace: this.#trace.headers,
          request,
          folder,
          own,
          onStep,
          authority: this.#policy,
          onDenied,
        },
        stop.signal,
      );
    };
    return this.#stopwatch.time('services', start).finally(() => clearTimeout(timeout));
  }

  /** Loads the policies only when a stage has some. A runtime without tools has nothing to restrict. */
  async #openPolicy(request: HostRequest): Promise<RunPolicy | undefined> {
    const { policies: installation, policyMode: mode, registry } = this.#ports;
    const adapter = registry.get(this.#event.runtimeId);
    if (!installation || !adapter.capabilities.model) return undefined;
    const { RunPolicy: Policy } = await import('../policy/run-policy.ts');
    const onShadow = (signal: AdapterEvent) => this.#published?.accept(signal);
    return new Policy({ layers: { installation }, mode, adapter, event: this.#event, request, onShadow });
  }

  #checked(result: HarnessResult): HarnessResult {
    return this.#policy?.resultOf(result) ?? result;
  }

  /** Reads a file from the stored tree, not from the folder, which executors change. */
  async #readInput(path: string): Promise<string> {
    const tree = await followLinks(await this.#ports.trees.open(this.#event.tree));
    return new TextDecoder().decode(await tree.read(path));
  }

  #takeExecutor({ instruction }: Pick<HostRequest, 'instruction'>): Promise<StageExecutor> {
    const { registry, pool } = this.#ports;
    const { runtimeId, stage } = this.#event;
    const inProcess = registry.get(runtimeId).inProcessWork?.({ instruction, stage });
    const executor = inProcess ? pool.takeInProcess(registry, inProcess) : pool.take();
    this.#executors.push(executor);
    return executor;
  }

  async #carryOut({ executor, redactor, run, services, signals }: PreparedStage): Promise<HarnessResult> {
    let finished = false;
    void this.#controls.stop.then(() => {
      if (!finished && this.#controls.stopped !== 'lost') executor.cancel(this.#controls.stopped ?? '');
    });
    void this.#controls.lost.then(() => {
      if (!finished) this.#killAll(executor);
    });
    void this.#policy?.exhausted.then(() => {
      if (!finished) executor.cancel('the policy refused too many calls');
    });
    const { runtimeId } = this.#event;
    const accept = (signal: AdapterEvent): void => {
      // The signals of a fenced attempt must not mix with those of the next one.
      if (finished || this.#controls.stopped === 'lost') return;
      this.#trace.signal(signal);
      const named = services?.withToolIds(signal) ?? signal;
      signals.accept(named);
      this.#toolResults.add(named, signals.count);
    };
    services?.listen((signal) => {
      if (signal.phase === 'agent.tool.output') this.#logOutput(signal, redactor);
      accept({ adapter: runtimeId, ...signal });
    });
    const result = await this.#stopwatch.time('run', () => executor.run(runtimeId, run, accept));
    finished = true;
    this.#network.close();
    return redactor.value(result as unknown as JsonValue) as unknown as HarnessResult;
  }

  #logOutput({ toolId, text = '' }: Pick<AdapterEvent, 'toolId' | 'text'>, redactor: Redactor): void {
    const { requestId, stage } = this.#event;
    this.#ports.log.info({ requestId, stage, toolId, text: redactor.text(text) }, 'workspace tool wrote output');
  }

  /** Ends a fenced attempt at once: its executor and tools, and concurrently its servers and applications. */
  #killAll(executor: StageExecutor): void {
    executor.kill();
    this.#modelCalls.fence();
    this.#network.close();
    void this.#services.close();
  }

  #resolve(request: HostRequest, workspaceDir: string): ResolvedHostRequest {
    const { environment, modelEnvironment, setting } = this.#ports.secrets;
    return resolveHostRequest(request, { workspaceDir, environment, modelEnvironment, setting });
  }

  #signals(redactor: Redactor): AdapterEventPublisher {
    const { publisher, blobs, hostId } = this.#ports;
    const { id } = this.#message.event;
    const source = `harness-host/${hostId}`;
    return new AdapterEventPublisher(this.#event, {
      publisher,
      blobs,
      redactor,
      source,
      causation: id,
      published: this.#event.resume?.signals ?? 0,
      trace: this.#trace.headers,
    });
  }

  async #sendStarted({ run, request, services, redactor }: PreparedStage): Promise<void> {
    const queue = Math.max(0, this.#queuedUntil - this.#message.time.getTime());
    const reported = this.#report.end();
    if (reported) await reported;
    await this.#ports.answers.send(this.#message, this.#event, {
      type: 'runtime.stage.started',
      hostId: this.#ports.hostId,
      ...(run.harnessSessionId && { harnessSessionId: run.harnessSessionId }),
      mcpServerMappings: mappingsOf(request),
      ...services?.outcomeAtStart(redactor),
      timings: { queue, ...this.#stopwatch.timings },
    });
  }

  /** The minimum of the limits of both requests. It is a duration, because clocks differ between machines. */
  #runForMs({ timeout_seconds }: HostRequest): number {
    return Math.min(this.#event.limits.runForMs, timeout_seconds * 1000);
  }

  /** The time that is left for the preparation. */
  #prepareForMs(request: HostRequest): number {
    const total = this.#event.limits.prepareForMs ?? this.#runForMs(request);
    return Math.max(1, Math.min(total, MAX_TIMEOUT_MS) - (performance.now() - this.#claimedAt));
  }
}

const tokenOf = ({ apiKey }: ModelEndpoint): string[] => (apiKey === '' ? [] : [apiKey]);

function claimLost(): ReinsError {
  return new ReinsError({
    code: 'stage_claimed',
    message: 'the claim on the stage was lost; its result was discarded',
  });
}
