import { type ErrorInfo, isRetryable, type JsonValue, type Problem } from '@reins/contracts';
import type { AdapterEventSink, HarnessExecution, HarnessResult, HarnessRun } from '../contract.ts';
import { HarnessProcess, type HarnessProcessSpec } from '../process/harness-process.ts';
import { Watchdog } from '../process/watchdog.ts';
import { AdapterEventWriter } from '../signals/signal-writer.ts';
import { UsageSum } from '../signals/usage.ts';
import { invalidOutputProblem, OutputValidator } from '../structured/output-validator.ts';
import { failedResult, type ResultExtras, timedOutResult, unknownResult } from './failures.ts';

const DEFAULT_OUTPUT_RETRIES = 2;
const STDERR_SHOWN = 2000;

/** How an adapter talks to the process of its executor. */
export interface Conversation {
  /** Starts the process and gives it the prompt, unless the execution has ended meanwhile. */
  start(): Promise<void>;
  /** Takes a line that the process wrote. Returns false for an invalid record of the protocol. */
  line(line: string): boolean;
  /** Asks the model for another answer. */
  retry(message: string): Promise<void>;
  /** Asks the process to stop, by its protocol. */
  abort(): void;
  /** Whether the process exits when its input closes, after a result with this status. */
  exitsAfter(status: HarnessResult['status']): boolean;
}

/** The names of an executor: in signals, and in messages. */
export interface ExecutorNames {
  readonly id: string;
  readonly title: string;
}

/** What the process of an execution needs, except for what each one has. */
type ProcessSpec = Pick<HarnessProcessSpec, 'command' | 'args' | 'environment' | 'readable'>;

/**
 * An execution by a separate process: deadlines, more attempts at an output that does not match the schema, and one
 * result. `result` resolves after the process has exited. The exit code is ignored.
 */
export class ProcessExecution implements HarnessExecution {
  readonly result: Promise<HarnessResult>;
  readonly signals: AdapterEventWriter;
  readonly usage: UsageSum;
  /** The session of the executor, as soon as it is known. */
  sessionId: string | undefined;
  readonly #run: HarnessRun;
  readonly #names: ExecutorNames;
  readonly #watchdog: Watchdog;
  readonly #conversation: Conversation;
  /** The result, as soon as it is known. */
  readonly #outcome = Promise.withResolvers<HarnessResult>();
  #validator: OutputValidator | undefined;
  #process: HarnessProcess | undefined;
  #retriesLeft: number;
  #finished = false;

  /** @param converse creates the conversation; it must not use the execution before `start` */
  constructor(
    names: ExecutorNames,
    run: HarnessRun,
    sink: AdapterEventSink,
    converse: (execution: ProcessExecution) => Conversation,
  ) {
    this.#names = names;
    this.#run = run;
    this.#retriesLeft = run.outputRetries ?? DEFAULT_OUTPUT_RETRIES;
    this.usage = new UsageSum(run.providerId, run.modelId);
    this.#watchdog = new Watchdog(run.deadlines, (error) => this.#expire(error));
    this.signals = new AdapterEventWriter(names.id, (signal) => {
      this.#watchdog.observe(signal);
      sink(signal);
    });
    this.#conversation = converse(this);
    this.result = this.#execute();
  }

  get isFinished(): boolean {
    return this.#finished;
  }

  cancel(): void {
    this.#finish({ status: 'cancelled', ...this.usage.usage });
  }

  answer(): boolean {
    return false;
  }

  /** The prompt of the run, with the instruction for its output. @throws ReinsError for an invalid output schema */
  async prompt(): Promise<string> {
    const { outputSchema, prompt } = this.#run;
    this.#validator = outputSchema && (await OutputValidator.of(outputSchema));
    return this.#validator ? `${prompt}\n\n${this.#validator.instruction}` : prompt;
  }

  /** Starts the process, in the sandbox and the work folder of the run. */
  startProcess(spec: ProcessSpec): void {
    const { environment, workDir, homeDir, sessionDir, runToken } = this.#run;
    this.#process = new HarnessProcess(
      {
        cwd: workDir,
        runToken,
        sandbox: environment.sandbox,
        writable: [workDir, homeDir, sessionDir],
        takesInput: true,
        ...spec,
      },
      {
        line: (line) => this.#line(line),
        lineTooLong: () => this.#brokenProtocol('a line that exceeds the size limit'),
      },
    );
    this.#process.exited.then(({ error, code, signal }) => this.#exited(error, signal ?? `code ${code}`));
  }

  /** Sends a message to the process. */
  send(message: JsonValue): void {
    this.#process?.send(message);
  }

  /** Closes the input of the process. */
  closeInput(): void {
    this.#process?.closeInput();
  }

  /** The last message of the model. It is the output if it matches the schema; otherwise the model has to try again. */
  answered(text: string): void {
    if (this.#validator) void this.#checkOutput(text, this.#validator);
    else this.#succeed(text);
  }

  /** Ends the execution until the question is answered; does nothing without a question. */
  waitFor(question: JsonValue | undefined): void {
    if (question !== undefined) this.#finish({ status: 'waiting', question, ...this.#extras });
  }

  fail(problem: Problem): void {
    this.#finish({ status: 'failed', error: problem, retryable: isRetryable(problem.code), ...this.#extras });
  }

  failWith(error: unknown): void {
    this.#finish(failedResult(error, this.#extras));
  }

  async #execute(): Promise<HarnessResult> {
    await this.#conversation.start().catch((error: unknown) => this.failWith(error));
    const result = await this.#outcome.promise;
    // A process that would not exit when its input closes is asked to stop first.
    const exits = this.#conversation.exitsAfter(result.status);
    await (exits ? this.#process?.finish() : this.#process?.stop(() => this.#conversation.abort()));
    this.#watchdog.stop();
    this.signals.close();
    return result;
  }

  #line(line: string): void {
    if (this.#finished) return;
    this.#watchdog.recordActivity();
    if (!this.#conversation.line(line)) this.#brokenProtocol(line);
  }

  async #checkOutput(answer: string, validator: OutputValidator): Promise<void> {
    try {
      const checked = await validator.check(answer);
      if (this.#finished) return;
      if (checked.valid) this.#succeed(checked.value);
      else if (this.#retriesLeft > 0) {
        this.#retriesLeft -= 1;
        await this.#conversation.retry(validator.retryMessage(checked.problems));
      } else this.fail(invalidOutputProblem(answer, checked.problems));
    } catch (error) {
      this.failWith(error);
    }
  }

  #exited(error: Error | undefined, how: string): void {
    if (this.#finished) return;
    const { title } = this.#names;
    if (error) {
      this.fail({ code: 'harness_start_failed', message: `${title} could not be started: ${error.message}` });
      return;
    }
    const stderr = this.#process?.stderr.trim().slice(-STDERR_SHOWN);
    const message = `${title} exited (${how}) without reporting a result${stderr ? `: ${stderr}` : ''}`;
    this.#finish(unknownResult({ code: 'harness_exited', message }, this.#extras));
  }

  #expire(error: ErrorInfo): void {
    this.#finish(timedOutResult(error, this.#extras));
  }

  #brokenProtocol(line: string): void {
    const message = `${this.#names.title} wrote an invalid protocol record: ${JSON.stringify(line.slice(0, 120))}`;
    this.fail({ code: 'harness_protocol_invalid', message });
  }

  #succeed(output: JsonValue): void {
    this.#finish({ status: 'ok', output, ...this.#extras });
  }

  #finish(result: HarnessResult): void {
    this.#finished = true;
    this.#outcome.resolve(result);
  }

  get #extras(): ResultExtras {
    return { ...this.usage.usage, ...(this.sessionId && { harnessSessionId: this.sessionId }) };
  }
}
