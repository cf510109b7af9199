import type { JsonObject, Problem } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { listOf, objectOf, textOf } from '../../execution/json.ts';
import type { Conversation, ProcessExecution } from '../../execution/process-execution.ts';
import { requireApi } from '../../execution/require-api.ts';
import { readImages } from '../../files/images.ts';
import { JsonRpc } from '../../process/json-rpc.ts';
import { refusalOf } from './call-rules.ts';
import { FIXED_ARGUMENTS, hermesCommand } from './command.ts';
import { hermesEnvironment, writeHermesHome } from './hermes-home.ts';
import { INITIALIZE, RELAY_PREFIX, V2 } from './protocol.ts';
import { hermesTools, servedTools, serverName } from './tools.ts';
import { HermesTranscript } from './transcript.ts';

/**
 * Talks to `hermes acp`: a session with one prompt, and another prompt for each answer that does not match the output
 * schema. Hermes reports failed model calls as texts of the model, so what the relay reports decides.
 */
export class HermesConversation implements Conversation {
  readonly #run: HarnessRun;
  readonly #execution: ProcessExecution;
  readonly #transcript: HermesTranscript;
  readonly #hermes: JsonRpc;
  #isBusy = false;

  constructor(run: HarnessRun, execution: ProcessExecution) {
    this.#run = run;
    this.#execution = execution;
    const served = servedTools(run);
    const nameOf = (tool: string): string => served.find(({ offered }) => offered === tool)?.own ?? tool;
    this.#transcript = new HermesTranscript(execution.signals, execution.usage, nameOf);
    const listener = {
      notified: (method: string, params: JsonObject) => this.#notified(method, params),
      asked: (method: string, params: JsonObject) => this.#asked(method, params),
    };
    this.#hermes = new JsonRpc('Hermes', (message) => execution.send(message), listener, V2);
  }

  async start(): Promise<void> {
    const [run, execution] = [this.#run, this.#execution];
    requireApi('Hermes', 'openai-completions', run);
    const { command, folders } = hermesCommand(run.environment);
    const prompt = await execution.prompt();
    await writeHermesHome(run);
    const images = await readImages(run);
    if (execution.isFinished) return;
    const tools = [...hermesTools(run), ...servedTools(run).map(({ own }) => own)];
    execution.signals.handoff(`${run.providerId}/${run.modelId}`, tools);
    execution.startProcess({
      command,
      args: FIXED_ARGUMENTS,
      environment: hermesEnvironment(run),
      readable: folders,
    });
    const content = images.map(({ mediaType, base64 }) => ({ type: 'image', mimeType: mediaType, data: base64 }));
    void this.#converse([textBlock(prompt), ...content]).catch((error: unknown) => execution.failWith(error));
  }

  line(line: string): boolean {
    return this.#hermes.line(line);
  }

  retry(message: string): Promise<void> {
    return this.#prompt([textBlock(message)]);
  }

  /** A turn that runs is cancelled, with the commands that it has started. */
  abort(): void {
    const { sessionId } = this.#execution;
    if (sessionId !== undefined) this.#hermes.notify('session/cancel', { sessionId });
    this.#execution.closeInput();
  }

  exitsAfter(status: string): boolean {
    return status === 'ok' || status === 'waiting';
  }

  async #converse(blocks: readonly JsonObject[]): Promise<void> {
    await this.#hermes.call('initialize', INITIALIZE);
    this.#execution.sessionId = await this.#openSession();
    await this.#prompt(blocks);
  }

  /** Continues the session. Without it, creates a new one. Hermes answers `{}` for a session that it does not have. */
  async #openSession(): Promise<string> {
    const { harnessSessionId: sessionId, workDir: cwd, mcpServers } = this.#run;
    const servers = mcpServers.map(({ url, headers }, index) => ({
      type: 'http',
      name: serverName(index),
      url,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    }));
    if (sessionId !== undefined) {
      const loaded = await this.#hermes.call('session/load', { sessionId, cwd, mcpServers: servers });
      if (Object.keys(loaded).length > 0) return sessionId;
    }
    return textOf((await this.#hermes.call('session/new', { cwd, mcpServers: servers })).sessionId);
  }

  async #prompt(prompt: readonly JsonObject[]): Promise<void> {
    this.#isBusy = true;
    const sessionId = this.#execution.sessionId ?? '';
    const answer = await this.#hermes.call('session/prompt', { sessionId, prompt: [...prompt] });
    this.#isBusy = false;
    this.#turnEnded(textOf(answer.stopReason));
  }

  #notified(method: string, params: JsonObject): void {
    // A loaded session repeats its earlier messages before the prompt.
    if (!this.#isBusy || this.#execution.isFinished) return;
    if (method === 'session/update') this.#transcript.updated(objectOf(params.update));
    else if (method.startsWith(RELAY_PREFIX)) this.#transcript.relayed(method.slice(RELAY_PREFIX.length), params);
  }

  /** Hermes asks for permission after the relay has asked about the call, so it gets it. */
  #asked(method: string, params: JsonObject): JsonObject | undefined {
    if (method === `${RELAY_PREFIX}call`) {
      const refusal = refusalOf(this.#run, textOf(params.tool), objectOf(params.args));
      this.#transcript.called(params, refusal);
      return { refusal: refusal ?? null };
    }
    if (method !== 'session/request_permission') return undefined;
    const option = listOf(params.options)
      .map(objectOf)
      .find(({ kind }) => kind === 'allow_once');
    if (option === undefined) return { outcome: { outcome: 'cancelled' } };
    return { outcome: { outcome: 'selected', optionId: textOf(option.optionId) } };
  }

  #turnEnded(stopReason: string): void {
    const execution = this.#execution;
    const { question, failure, message } = this.#transcript;
    execution.waitFor(question);
    if (execution.isFinished) return;
    if (failure !== undefined) execution.fail(failure);
    else if (stopReason !== 'end_turn' || message === undefined) execution.fail(notCompleted(stopReason));
    else execution.answered(message);
  }
}

/** A text that starts with a slash would be a command of Hermes. */
const textBlock = (text: string): JsonObject => ({
  type: 'text',
  text: text.trimStart().startsWith('/') ? `The request:\n\n${text}` : text,
});

/** Hermes ends a turn as complete although the model has closed the connection during its answer. */
const notCompleted = (stopReason: string): Problem => ({
  code: stopReason === 'end_turn' ? 'model_answer_cut' : 'harness_protocol_invalid',
  message: `Hermes ended the turn with the reason ${JSON.stringify(stopReason)} and without a complete answer of the model`,
});
