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
import { ConfinedFile } from '../../files/confined-file.ts';
import { HarnessProcess } from '../../process/harness-process.ts';
import { Watchdog } from '../../process/watchdog.ts';
import { AdapterEventWriter } from '../../signals/signal-writer.ts';
import { UsageSum } from '../../signals/usage.ts';
import { invalidOutputProblem, OutputValidator } from '../../structured/output-validator.ts';
import { adoptSession } from './adopt-session.ts';
import { agentDirOf, piArguments, piEnvironment, piTools, writeAgentDir } from './agent-dir.ts';
import { piCommand } from './command.ts';
import { messageProblem } from './message-problem.ts';
import { servedTools } from './served-tools.ts';
import { PiTranscript } from './transcript.ts';

const ID = 'pi';
const DEFAULT_OUTPUT_RETRIES = 2;
const STDERR_SHOWN = 2000;

/**
 * One execution by pi in RPC mode: the process reads the prompt from stdin and writes its session events to stdout.
 * The last message of the assistant decides the result once pi has settled. The exit code is ignored.
 */
export class PiExecution implements HarnessExecution {
  readonly result: Promise<HarnessResult>;
  readonly #run: HarnessRun;
  readonly #signals: AdapterEventWriter;
  readonly #watchdog: Watchdog;
  readonly #usage: UsageSum;
  readonly #transcript: PiTranscript;
  /** The result, as soon as it is known. `result` resolves with it after the process has exited. */
  readonly #outcome = Promise.withResolvers<HarnessResult>();
  #validator: OutputValidator | undefined;
  #process: HarnessProcess | undefined;
  #retriesLeft: number;
  #sessionId: string | undefined;
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
    this.#transcript = new PiTranscript(this.#signals, this.#usage);
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
      await this.#start();
    } catch (error) {
      this.#finish(failedResult(error));
    }
    const result = await this.#outcome.promise;
    // After a success pi exits when its input closes. Otherwise it is aborted by its protocol first, then by signals.
    await (result.status === 'ok' ? this.#process?.finish() : this.#process?.stop(() => this.#abort()));
    this.#watchdog.stop();
    this.#signals.close();
    return result;
  }

  async #start(): Promise<void> {
    const run = this.#run;
    this.#validator = run.outputSchema && (await OutputValidator.of(run.outputSchema));
    await writeAgentDir(run);
    await adoptSession(run);
    const served = await servedTools(run, agentDirOf(run));
    const prompt = this.#validator ? `${run.prompt}\n\n${this.#validator.instruction}` : run.prompt;
    const images = await readImages(run);
    if (this.#finished) return;
    this.#signals.handoff(`${run.providerId}/${run.modelId}`, [...piTools(run), ...served.names]);
    const { command, args } = piCommand(run.environment.settings);
    this.#process = new HarnessProcess(
      {
        command,
        args: [...args, ...piArguments(run, served)],
        cwd: run.workDir,
        environment: piEnvironment(run, served),
        runToken: run.runToken,
        sandbox: run.environment.sandbox,
        writable: [run.workDir, run.homeDir, run.sessionDir],
        takesInput: true,
      },
      {
        line: (line) => this.#line(line),
        lineTooLong: () => this.#brokenProtocol('a line that exceeds the size limit'),
      },
    );
    this.#process.exited.then(({ error, code, signal }) => this.#exited(error, signal ?? `code ${code}`));
    // The response is the first activity, and contains the session id.
    this.#process.send({ id: 'state', type: 'get_state' });
    this.#process.send({ id: 'prompt', type: 'prompt', message: prompt, ...(images.length > 0 && { images }) });
  }

  #line(line: string): void {
    if (this.#finished) return;
    this.#watchdog.recordActivity();
    const record = parse(line);
    if (!record) this.#brokenProtocol(line);
    else if (record.type === 'response') this.#response(record);
    else if (record.type === 'agent_settled') this.#settled();
    else {
      this.#transcript.event(record);
      // The calls of the turn have ended, and their results are in the session.
      if (record.type === 'turn_end') this.#waitForAnswer();
    }
  }

  #response(record: JsonObject): void {
    if (record.command === 'get_state') this.#sessionId = textOf(objectOf(record.data).sessionId) || undefined;
    else if (record.success !== true) {
      const message = `pi refused ${textOf(record.command)}: ${textOf(record.error)}`;
      this.#fail({ code: 'harness_protocol_invalid', message });
    }
  }

  /** A question ends the execution, even if pi would continue after the other calls of the turn. */
  #waitForAnswer(): void {
    const { question } = this.#transcript;
    if (question !== undefined) this.#finish({ status: 'waiting', question, ...this.#extras });
  }

  /** pi has settled and writes nothing more: the last message decides the result. */
  #settled(): void {
    const { last } = this.#transcript;
    const problem = messageProblem(last);
    if (problem) this.#fail(problem);
    else if (this.#validator) void this.#checkOutput(last?.text ?? '', this.#validator);
    else this.#succeed(last?.text ?? '');
  }

  async #checkOutput(answer: string, validator: OutputValidator): Promise<void> {
    const checked = await validator.check(answer).catch((error: unknown) => {
      this.#finish(failedResult(error));
    });
    if (!checked || this.#finished) return;
    if (checked.valid) this.#succeed(checked.value);
    else if (this.#retriesLeft > 0) {
      this.#retriesLeft -= 1;
      this.#process?.send({ id: 'again', type: 'prompt', message: validator.retryMessage(checked.problems) });
    } else this.#fail(invalidOutputProblem(answer, checked.problems));
  }

  #exited(error: Error | undefined, how: string): void {
    if (this.#finished) return;
    if (error) {
      this.#fail({ code: 'harness_start_failed', message: `pi could not be started: ${error.message}` });
      return;
    }
    const stderr = this.#process?.stderr.trim().slice(-STDERR_SHOWN);
    const message = `pi exited (${how}) without reporting a result${stderr ? `: ${stderr}` : ''}`;
    this.#finish(unknownResult({ code: 'harness_exited', message }, this.#extras));
  }

  #expire(error: ErrorInfo): void {
    this.#finish(timedOutResult(error, this.#extras));
  }

  #brokenProtocol(line: string): void {
    const message = `pi wrote an invalid protocol record: ${JSON.stringify(line.slice(0, 120))}`;
    this.#fail({ code: 'harness_protocol_invalid', message });
  }

  #succeed(output: JsonValue): void {
    this.#finish({ status: 'ok', output, ...this.#extras });
  }

  #fail(problem: Problem): void {
    this.#finish({ status: 'failed', error: problem, retryable: isRetryable(problem.code), ...this.#extras });
  }

  #finish(result: HarnessResult): void {
    this.#finished = true;
    this.#outcome.resolve(result);
  }

  #abort(): void {
    this.#process?.send({ type: 'abort' });
    this.#process?.closeInput();
  }

  get #extras(): ResultExtras {
    return { ...this.#usage.usage, ...(this.#sessionId && { harnessSessionId: this.#sessionId }) };
  }
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

async function readImages({ attachments, workDir }: HarnessRun): Promise<JsonObject[]> {
  const images = attachments.filter(({ mediaType }) => mediaType.startsWith('image/'));
  return Promise.all(
    images.map(async ({ path, mediaType }) => {
      const file = await ConfinedFile.resolve(workDir, path);
      const data = await file.read().catch((cause) => {
        throw new ReinsError({ code: 'harness_unsupported', message: `an image cannot be read: ${path}` }, { cause });
      });
      return { type: 'image', data: data.toString('base64'), mimeType: mediaType };
    }),
  );
}
