import type { JsonObject, Problem } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { objectOf, textOf } from '../../execution/json.ts';
import type { Conversation, ProcessExecution } from '../../execution/process-execution.ts';
import { requireApi } from '../../execution/require-api.ts';
import { JsonRpc } from '../../process/json-rpc.ts';
import { INITIALIZE } from './app-server.ts';
import { refuseChange, refuseCommand } from './approvals.ts';
import { codexEnvironment, writeCodexHome } from './codex-home.ts';
import { codexCommand, FIXED_ARGUMENTS } from './command.ts';
import { codexThinking } from './model.ts';
import { threadSettings } from './thread.ts';
import { codexTools } from './tools.ts';
import { CodexTranscript } from './transcript.ts';
import { imagesOf, textInput } from './turn-input.ts';
import { turnProblem } from './turn-problem.ts';

/**
 * Talks to `codex app-server`: a thread with one turn, and another turn for each answer that does not match the output
 * schema. The status of the turn decides the result.
 */
export class CodexConversation implements Conversation {
  readonly #run: HarnessRun;
  readonly #execution: ProcessExecution;
  readonly #transcript: CodexTranscript;
  readonly #server: JsonRpc;
  #turnId: string | undefined;

  constructor(run: HarnessRun, execution: ProcessExecution) {
    this.#run = run;
    this.#execution = execution;
    this.#transcript = new CodexTranscript(execution.signals, execution.usage);
    this.#server = new JsonRpc('Codex', (message) => execution.send(message), {
      notified: (method, params) => this.#notified(method, params),
      asked: (method, params) => this.#asked(method, params),
    });
  }

  async start(): Promise<void> {
    const [run, execution] = [this.#run, this.#execution];
    requireApi('Codex', 'openai-responses', run);
    const { command, folders } = codexCommand(run.environment);
    const prompt = await execution.prompt();
    await writeCodexHome(run);
    const input = [textInput(prompt), ...(await imagesOf(run))];
    if (execution.isFinished) return;
    const served = run.mcpServers.flatMap(({ tools }) => tools.map(({ name }) => name));
    execution.signals.handoff(`${run.providerId}/${run.modelId}`, [...codexTools(run), ...served]);
    execution.startProcess({
      command,
      args: FIXED_ARGUMENTS,
      environment: codexEnvironment(run),
      readable: folders,
    });
    void this.#converse(input).catch((error: unknown) => execution.failWith(error));
  }

  line(line: string): boolean {
    return this.#server.line(line);
  }

  retry(message: string): Promise<void> {
    return this.#startTurn([textInput(message)]);
  }

  /** A turn that runs is interrupted. */
  abort(): void {
    const { sessionId: threadId } = this.#execution;
    const turnId = this.#turnId;
    if (threadId !== undefined && turnId !== undefined)
      this.#server.call('turn/interrupt', { threadId, turnId }).catch(() => undefined);
    this.#execution.closeInput();
  }

  /** A run that succeeded or waits needs its process no more; its session continues later. */
  exitsAfter(status: string): boolean {
    return status === 'ok' || status === 'waiting';
  }

  async #converse(input: readonly JsonObject[]): Promise<void> {
    await this.#server.call('initialize', INITIALIZE);
    this.#server.notify('initialized');
    this.#execution.sessionId = await this.#openThread();
    await this.#startTurn(input);
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
    const threadId = this.#execution.sessionId ?? '';
    const { turn } = await this.#server.call('turn/start', {
      threadId,
      input: [...input],
      ...codexThinking(this.#run),
    });
    this.#turnId = textOf(objectOf(turn).id);
  }

  #notified(method: string, params: JsonObject): void {
    // A resumed thread reports the usage of its earlier turns before this one has started.
    if (method === 'thread/tokenUsage/updated' && params.turnId !== this.#turnId) return;
    this.#transcript.notified(method, params);
    if (method === 'turn/completed') this.#turnEnded(objectOf(params.turn));
    // The calls of the turn have ended, and their results are in the session.
    else if (method === 'thread/tokenUsage/updated') this.#execution.waitFor(this.#transcript.question);
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
    const execution = this.#execution;
    execution.waitFor(this.#transcript.question);
    if (execution.isFinished) return;
    const { message } = this.#transcript;
    if (turn.status === 'failed') execution.fail(turnProblem(objectOf(turn.error)));
    else if (turn.status !== 'completed') execution.fail(notCompleted(textOf(turn.status)));
    else if (message === undefined) execution.fail(NO_MESSAGE);
    else execution.answered(message);
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
