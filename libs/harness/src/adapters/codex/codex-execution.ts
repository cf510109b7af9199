import {
  type ErrorInfo,
  isRetryable,
  type JsonObject,
  type JsonValue,
  type Problem,
  ReinsError,
} from '@reins/contracts';
import type { AdapterEventSink, HarnessExecution, HarnessResult, HarnessRun } from '../../contract.ts';
import { failedResult, type ResultExtras, timedOutResult, unknownResult } from '../../execution/failures.ts';
import { objectOf, textOf } from '../../execution/json.ts';
import { HarnessProcess } from '../../process/harness-process.ts';
import { Watchdog } from '../../process/watchdog.ts';
import { AdapterEventWriter } from '../../signals/signal-writer.ts';
import { UsageSum } from '../../signals/usage.ts';
import { invalidOutputProblem, OutputValidator } from '../../structured/output-validator.ts';
import { AppServer, INITIALIZE } from './app-server.ts';
import { refuseChange, refuseCommand } from './approvals.ts';
import { codexEnvironment, writeCodexHome } from './codex-home.ts';
import { codexCommand, FIXED_ARGUMENTS } from './command.ts';
import { codexThinking } from './model.ts';
import { threadSettings } from './thread.ts';
import { codexTools } from './tools.ts';
import { CodexTranscript } from './transcript.ts';
import { imagesOf, textInput } from './turn-input.ts';
import { turnProblem } from './turn-problem.ts';

const ID = 'codex';
const DEFAULT_OUTPUT_RETRIES = 2;
const STDERR_SHOWN = 2000;

/**
 * One execution by `codex app-server`: a thread with one turn, and another turn for each answer that does not match the
 * output schema. The status of the turn decides the result. The exit code is ignored.
 */
export class CodexExecution implements HarnessExecution {
  readonly result: Promise<HarnessResult>;
  readonly #run: HarnessRun;
  readonly #signals: AdapterEventWriter;
  readonly #watchdog: Watchdog;
  readonly #usage: UsageSum;
  readonly #transcript: CodexTranscript;
  readonly #server: AppServer;
  /** The result, as soon as it is known. `result` resolves with it after the process has exited. */
  readonly #outcome = Promise.withResolvers<HarnessResult>();
  #validator: OutputValidator | undefined;
  #process: HarnessProcess | undefined;
  #retriesLeft: number;
  #threadId: string | undefined;
  #turnId: string | undefined;
  #finished = false;

  constructor(run: HarnessRun, sink: AdapterEventSink) {
    this.#run = run;
    this.#retriesLeft = run.outputRetries ?? DEFAULT_OUTPUT_RETRIES;
    this.#usage = new UsageSum(run.providerId, run.modelId);
    this.#watchdog = new Watchdog(run.deadlines, (error) => this.#expire(error));
    this.#signals = new AdapterEventWriter(ID, (signal) => {
      this.#watchdog.observe(signal);
      sink(signal);
    });
    this.#transcript = new CodexTranscript(this.#signals, this.#usage);
    this.#server = new AppServer((message) => this.#process?.send(message), {
      notified: (method, params) => this.#notified(method, params),
      asked: (method, params) => this.#asked(method, params),
    });
    this.result = this.#execute();
  }

  cancel(): void {
    this.#finish({ status: 'cancelled', ...this.#usage.usage });
  }

  answer(): boolean {
    return false;
  }

  async #execute(): Promise<HarnessResult> {
    try {
      const input = await this.#start();
      if (input) void this.#converse(input).catch((error) => this.#failWith(error));
    } catch (error) {
      this.#failWith(error);
    }
    const result = await this.#outcome.promise;
    // Codex exits when its input closes. A turn that runs is interrupted first, unless its session goes on.
    const ends = result.status === 'ok' || result.status === 'waiting';
    await (ends ? this.#process?.finish() : this.#process?.stop(() => this.#abort()));
    this.#watchdog.stop();
    this.#signals.close();
    return result;
  }

  /** Starts the process. Returns the input of the turn; undefined when the execution has ended. */
  async #start(): Promise<readonly JsonObject[] | undefined> {
    const run = this.#run;
    requireResponses(run);
    const { command, folder } = codexCommand(run.environment);
    this.#validator = run.outputSchema && (await OutputValidator.of(run.outputSchema));
    await writeCodexHome(run);
    const text = this.#validator ? `${run.prompt}\n\n${this.#validator.instruction}` : run.prompt;
    const input = [textInput(text), ...(await imagesOf(run))];
    if (this.#finished) return undefined;
    const served = run.mcpServers.flatMap(({ tools }) => tools.map(({ name }) => name));
    this.#signals.handoff(`${run.providerId}/${run.modelId}`, [...codexTools(run), ...served]);
    this.#startProcess(command, folder);
    return input;
  }

  async #converse(input: readonly JsonObject[]): Promise<void> {
    await this.#server.call('initialize', INITIALIZE);
    this.#server.notify('initialized');
    this.#threadId = await this.#openThread();
    await this.#startTurn(input);
  }

  #startProcess(command: string, folder: string | undefined): void {
    const run = this.#run;
    this.#process = new HarnessProcess(
      {
        command,
        args: FIXED_ARGUMENTS,
        cwd: run.workDir,
        environment: codexEnvironment(run),
        runToken: run.runToken,
        sandbox: run.environment.sandbox,
        writable: [run.workDir, run.homeDir, run.sessionDir],
        ...(folder !== undefined && { readable: [folder] }),
        takesInput: true,
      },
      {
        line: (line) => this.#line(line),
        lineTooLong: () => this.#brokenProtocol('a line that exceeds the size limit'),
      },
    );
    this.#process.exited.then(({ error, code, signal }) => this.#exited(error, signal ?? `code ${code}`));
  }

  /** Continues the thread of the session. Without it, starts a new one. */
  async #openThread(): Promise<string> {
    const settings = threadSettings(this.#run);
    const { harnessSessionId: threadId } = this.#run;
    const resumed =
      threadId === undefined
        ? undefined
        : await this.#server
            .call('thread/resume', { threadId, excludeTurns: true, ...settings })
            .catch(() => undefined);
    const { thread } = resumed ?? (await this.#server.call('thread/start', settings));
    return textOf(objectOf(thread).id);
  }

  async #startTurn(input: readonly JsonObject[]): Promise<void> {
    const threadId = this.#threadId ?? '';
    const { turn } = await this.#server.call('turn/start', {
      threadId,
      input: [...input],
      ...codexThinking(this.#run),
    });
    this.#turnId = textOf(objectOf(turn).id);
  }

  #line(line: string): void {
    if (this.#finished) return;
    this.#watchdog.recordActivity();
    if (!this.#server.line(line)) this.#brokenProtocol(line);
  }

  #notified(method: string, params: JsonObject): void {
    // A resumed thread reports the usage of its earlier turns before this one has started.
    if (method === 'thread/tokenUsage/updated' && params.turnId !== this.#turnId) return;
    this.#transcript.notified(method, params);
    if (method === 'turn/completed') this.#turnEnded(objectOf(params.turn));
    // The calls of the turn have ended, and their results are in the session.
    else if (method === 'thread/tokenUsage/updated') this.#waitForAnswer();
  }

  /** Decides about a call. Codex asks before each command and each change of files. */
  #asked(method: string, params: JsonObject): JsonObject | undefined {
    const id = textOf(params.itemId);
    switch (method) {
      case 'item/commandExecution/requestApproval':
        return this.#decide(id, refuseCommand(this.#run, textOf(params.command)));
      case 'item/fileChange/requestApproval':
        return this.#decide(id, refuseChange(this.#run, this.#transcript.item(id)));
      case 'mcpServer/elicitation/request':
        return { action: 'decline', content: null, _meta: null };
      default:
        return undefined;
    }
  }

  #decide(id: string, refusal: string | undefined): JsonObject {
    if (refusal === undefined) return { decision: 'accept' };
    this.#transcript.refused(id, refusal);
    return { decision: 'decline' };
  }

  #turnEnded(turn: JsonObject): void {
    this.#waitForAnswer();
    if (this.#finished) return;
    const { message } = this.#transcript;
    if (turn.status === 'failed') this.#fail(turnProblem(objectOf(turn.error)));
    else if (turn.status !== 'completed') this.#fail(notCompleted(textOf(turn.status)));
    else if (message === undefined) this.#fail(NO_MESSAGE);
    else if (this.#validator) void this.#checkOutput(message, this.#validator);
    else this.#succeed(message);
  }

  #waitForAnswer(): void {
    const { question } = this.#transcript;
    if (question !== undefined) this.#finish({ status: 'waiting', question, ...this.#extras });
  }

  async #checkOutput(answer: string, validator: OutputValidator): Promise<void> {
    const checked = await validator.check(answer).catch((error: unknown) => this.#failWith(error));
    if (!checked || this.#finished) return;
    if (checked.valid) this.#succeed(checked.value);
    else if (this.#retriesLeft > 0) {
      this.#retriesLeft -= 1;
      const again = this.#startTurn([textInput(validator.retryMessage(checked.problems))]);
      again.catch((error) => this.#failWith(error));
    } else this.#fail(invalidOutputProblem(answer, checked.problems));
  }

  #exited(error: Error | undefined, how: string): void {
    if (this.#finished) return;
    if (error) {
      this.#fail({ code: 'harness_start_failed', message: `Codex could not be started: ${error.message}` });
      return;
    }
    const stderr = this.#process?.stderr.trim().slice(-STDERR_SHOWN);
    const message = `Codex exited (${how}) without reporting a result${stderr ? `: ${stderr}` : ''}`;
    this.#finish(unknownResult({ code: 'harness_exited', message }, this.#extras));
  }

  #expire(error: ErrorInfo): void {
    this.#finish(timedOutResult(error, this.#extras));
  }

  #brokenProtocol(line: string): void {
    const message = `Codex wrote an invalid protocol record: ${JSON.stringify(line.slice(0, 120))}`;
    this.#fail({ code: 'harness_protocol_invalid', message });
  }

  #succeed(output: JsonValue): void {
    this.#finish({ status: 'ok', output, ...this.#extras });
  }

  #fail(problem: Problem): void {
    this.#finish({ status: 'failed', error: problem, retryable: isRetryable(problem.code), ...this.#extras });
  }

  #failWith(error: unknown): void {
    this.#finish(failedResult(error, this.#extras));
  }

  #finish(result: HarnessResult): void {
    this.#finished = true;
    this.#outcome.resolve(result);
  }

  #abort(): void {
    const { threadId, turnId } = { threadId: this.#threadId, turnId: this.#turnId };
    if (threadId !== undefined && turnId !== undefined)
      this.#server.call('turn/interrupt', { threadId, turnId }).catch(() => undefined);
    this.#process?.closeInput();
  }

  get #extras(): ResultExtras {
    return { ...this.#usage.usage, ...(this.#threadId && { harnessSessionId: this.#threadId }) };
  }
}

const NO_MESSAGE: Problem = {
  code: 'harness_protocol_invalid',
  message: 'Codex finished without a message from the model',
};

const notCompleted = (status: string): Problem => ({
  code: 'harness_protocol_invalid',
  message: `Codex ended the turn with the status ${JSON.stringify(status)}`,
});

/** @throws ReinsError `harness_unsupported` when the endpoint speaks another protocol than Codex */
function requireResponses({ endpoint: { api }, providerId }: HarnessRun): void {
  if (api === 'openai-responses') return;
  throw new ReinsError({
    code: 'harness_unsupported',
    message: `Codex needs a provider that speaks openai-responses (${providerId} speaks ${api})`,
    hint: `Set providers.${providerId}.api to openai-responses if its endpoint has this API, or use another runtime.`,
  });
}
