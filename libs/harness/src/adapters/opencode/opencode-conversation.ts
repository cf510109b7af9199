import type { JsonObject, Problem } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { numberOf, objectOf, textOf } from '../../execution/json.ts';
import type { Conversation, ProcessExecution } from '../../execution/process-execution.ts';
import { requireApi } from '../../execution/require-api.ts';
import { FIXED_ARGUMENTS, opencodeCommand } from './command.ts';
import { AGENT, PROVIDER } from './config.ts';
import { imagesOf, textPart } from './message-parts.ts';
import { opencodeEnvironment, writeOpencodeHome } from './opencode-home.ts';
import { RelayClient } from './relay-client.ts';
import { opencodeTools, ownToolName } from './tools.ts';
import { OpencodeTranscript } from './transcript.ts';
import { endProblem, type ModelResponse, retryProblem, turnProblem } from './turn-problem.ts';

const DEFAULT_RETRIES = 2;

/**
 * Talks to OpenCode through the relay in it: a session with one message, and another message for each answer that does
 * not match the output schema. OpenCode itself tries failed model calls again without an end, so this limits them.
 */
export class OpencodeConversation implements Conversation {
  readonly #run: HarnessRun;
  readonly #execution: ProcessExecution;
  readonly #transcript: OpencodeTranscript;
  readonly #client: RelayClient;
  #response: ModelResponse | undefined;
  #question: string | undefined;
  #isBusy = false;

  constructor(run: HarnessRun, execution: ProcessExecution) {
    this.#run = run;
    this.#execution = execution;
    this.#transcript = new OpencodeTranscript(execution.signals, execution.usage, (name) => ownToolName(run, name));
    this.#client = new RelayClient((message) => execution.send(message), {
      event: (type, properties) => this.#event(type, properties),
      responded: (status, body) => {
        this.#response = { status, body };
      },
      failed: (callId) => this.#transcript.failed(callId),
      asked: (question) => {
        this.#question ??= question;
      },
    });
  }

  async start(): Promise<void> {
    const [run, execution] = [this.#run, this.#execution];
    requireApi('OpenCode', 'openai-completions', run);
    const { command, folders } = opencodeCommand(run.environment);
    const prompt = await execution.prompt();
    await writeOpencodeHome(run);
    const parts = [textPart(prompt), ...(await imagesOf(run))];
    if (execution.isFinished) return;
    const served = run.mcpServers.flatMap(({ tools }) => tools.map(({ name }) => name));
    execution.signals.handoff(`${run.providerId}/${run.modelId}`, [...opencodeTools(run), ...served]);
    execution.startProcess({
      command,
      args: FIXED_ARGUMENTS,
      environment: opencodeEnvironment(run),
      readable: folders,
    });
    void this.#converse(parts).catch((error: unknown) => execution.failWith(error));
  }

  line(line: string): boolean {
    return this.#client.line(line);
  }

  retry(message: string): Promise<void> {
    return this.#prompt([textPart(message)]);
  }

  /** A turn that runs is aborted, with the commands that it has started. */
  abort(): void {
    const { sessionId } = this.#execution;
    if (sessionId !== undefined) void this.#client.request('POST', `/session/${sessionId}/abort`);
    this.#execution.closeInput();
  }

  /** The session of a run that waits goes on. */
  exitsAfter(status: string): boolean {
    return status === 'ok' || status === 'waiting';
  }

  async #converse(parts: readonly JsonObject[]): Promise<void> {
    await this.#client.ready;
    this.#execution.sessionId = await this.#openSession();
    await this.#prompt(parts);
  }

  /** Continues the session. Without it, creates a new one. A session with a title needs no call to find one. */
  async #openSession(): Promise<string> {
    const { harnessSessionId } = this.#run;
    if (harnessSessionId !== undefined) {
      const { status, body } = await this.#client.request('GET', `/session/${encodeURIComponent(harnessSessionId)}`);
      if (status === 200) return textOf(body.id);
    }
    const { id } = await this.#client.require('POST', '/session', { title: 'Reins' });
    return textOf(id);
  }

  async #prompt(parts: readonly JsonObject[]): Promise<void> {
    this.#isBusy = true;
    const model = { providerID: PROVIDER, modelID: this.#run.modelId };
    const path = `/session/${this.#execution.sessionId}/prompt_async`;
    await this.#client.require('POST', path, { agent: AGENT, model, parts: [...parts] });
  }

  #event(type: string, properties: JsonObject): void {
    if (properties.sessionID !== this.#execution.sessionId || !this.#isBusy) return;
    switch (type) {
      case 'message.part.delta':
        this.#transcript.delta(properties);
        break;
      case 'message.part.updated':
        this.#part(objectOf(properties.part));
        break;
      case 'session.status':
        this.#status(objectOf(properties.status));
        break;
      case 'session.error':
        this.#failed(turnProblem(objectOf(properties.error)));
        break;
      case 'session.idle':
        this.#turnEnded();
        break;
    }
  }

  #part(part: JsonObject): void {
    this.#transcript.part(part);
    if (part.type !== 'step-finish') return;
    // The calls of the turn have ended, and their results are in the session.
    this.#execution.waitFor(this.#question);
    const { reason } = part;
    // OpenCode would call the model again, without an end.
    if (reason !== 'stop' && reason !== 'tool-calls') this.#failed(endProblem(textOf(reason)));
  }

  #status({ type, attempt, message }: JsonObject): void {
    if (type !== 'retry') return;
    const { retries = DEFAULT_RETRIES } = this.#run.environment.settings;
    if (numberOf(attempt) > numberOf(retries)) this.#failed(retryProblem(textOf(message), this.#response));
    this.#response = undefined;
  }

  #failed(problem: Problem | undefined): void {
    if (problem !== undefined && !this.#execution.isFinished) this.#execution.fail(problem);
  }

  #turnEnded(): void {
    this.#isBusy = false;
    const { message } = this.#transcript;
    if (message === undefined) this.#failed(NO_MESSAGE);
    else if (!this.#execution.isFinished) this.#execution.answered(message);
  }
}

const NO_MESSAGE: Problem = {
  code: 'harness_protocol_invalid',
  message: 'OpenCode finished without a message from the model',
};
