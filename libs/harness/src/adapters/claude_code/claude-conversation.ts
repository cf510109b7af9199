import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { objectOf, textOf } from '../../execution/json.ts';
import type { Conversation, ProcessExecution } from '../../execution/process-execution.ts';
import { requireApi } from '../../execution/require-api.ts';
import { readImages } from '../../files/images.ts';
import { refusalOf } from './call-rules.ts';
import { claudeEnvironment, hasSession, promptFile, writeClaudeHome } from './claude-home.ts';
import { claudeCommand, runArguments } from './command.ts';
import { AFTER_CALL, ControlStream, decisionOf, INITIALIZE, STOP } from './control.ts';
import { claudeTools, servedTools, serverName } from './tools.ts';
import { ClaudeTranscript } from './transcript.ts';

const QUESTION_TOOL = 'question';

/**
 * Talks to Claude Code: a session with one message, and another message for each answer that does not match the output
 * schema. The message `result` decides, not the exit code.
 */
export class ClaudeConversation implements Conversation {
  readonly #run: HarnessRun;
  readonly #execution: ProcessExecution;
  readonly #transcript: ClaudeTranscript;
  readonly #claude: ControlStream;
  readonly #served: ReturnType<typeof servedTools>;
  #question: string | undefined;

  constructor(run: HarnessRun, execution: ProcessExecution) {
    this.#run = run;
    this.#execution = execution;
    this.#served = servedTools(run);
    this.#transcript = new ClaudeTranscript(execution.signals, execution.usage, (tool) => this.#ownName(tool));
    this.#claude = new ControlStream((message) => execution.send(message), {
      message: (message) => this.#message(message),
      asked: (subtype, request) => this.#asked(subtype, request),
    });
  }

  async start(): Promise<void> {
    const [run, execution] = [this.#run, this.#execution];
    requireApi('Claude Code', 'anthropic-messages', run);
    const command = claudeCommand(run.environment);
    const prompt = await execution.prompt();
    await writeClaudeHome(run);
    const images = await readImages(run);
    if (execution.isFinished) return;
    const { harnessSessionId } = run;
    const isResumed = harnessSessionId !== undefined && hasSession(run, harnessSessionId);
    const id = isResumed ? harnessSessionId : randomUUID();
    execution.sessionId = id;
    const tools = [...claudeTools(run), ...this.#served.map(({ own }) => own)];
    execution.signals.handoff(`${run.providerId}/${run.modelId}`, tools);
    execution.startProcess({
      command,
      args: runArguments(run, promptFile(run), { id, isResumed }),
      environment: claudeEnvironment(run),
    });
    const content = images.map(({ mediaType, base64 }) => ({
      type: 'image',
      source: { type: 'base64', media_type: mediaType, data: base64 },
    }));
    void this.#converse([...content, textBlock(prompt)]).catch((error: unknown) => execution.failWith(error));
  }

  line(line: string): boolean {
    return this.#claude.line(line);
  }

  async retry(message: string): Promise<void> {
    this.#claude.say([textBlock(message)]);
  }

  /** A turn that runs is interrupted, with the commands that it has started. */
  abort(): void {
    this.#claude.request({ subtype: 'interrupt' }).catch(() => undefined);
    this.#execution.closeInput();
  }

  exitsAfter(status: string): boolean {
    return status === 'ok' || status === 'waiting';
  }

  /** The servers come over the connection, so that their tokens are in no file, argument or variable. */
  async #converse(content: readonly JsonObject[]): Promise<void> {
    await this.#claude.request(INITIALIZE);
    const servers = this.#run.mcpServers.map(({ url, headers }, index) => [
      serverName(index),
      { type: 'http', url, headers: { ...headers } },
    ]);
    if (servers.length > 0)
      await this.#claude.request({ subtype: 'mcp_set_servers', servers: Object.fromEntries(servers) });
    this.#claude.say(content);
  }

  /** Claude Code asks before and after each call of a tool. */
  #asked(subtype: string, request: JsonObject): JsonObject {
    if (subtype !== 'hook_callback') return { behavior: 'deny', message: 'This call was not decided by Reins.' };
    const { tool_name, tool_input, hook_event_name: event } = objectOf(request.input);
    const [tool, input] = [textOf(tool_name), objectOf(tool_input)];
    if (event === AFTER_CALL) return this.#called(tool, input);
    return decisionOf(refusalOf(this.#run, tool, input));
  }

  /** The answer of the user comes in another process. */
  #called(tool: string, input: JsonObject): JsonObject {
    if (this.#ownName(tool) !== QUESTION_TOOL) return {};
    this.#question ??= textOf(input.question);
    return STOP;
  }

  #message(message: JsonObject): void {
    const execution = this.#execution;
    const end = this.#transcript.message(message);
    if (end === undefined) return;
    execution.waitFor(this.#question);
    if (execution.isFinished) return;
    if ('problem' in end) execution.fail(end.problem);
    else execution.answered(end.text);
  }

  #ownName(tool: string): string {
    return this.#served.find(({ offered }) => offered === tool)?.own ?? tool;
  }
}

const textBlock = (text: string): JsonObject => ({ type: 'text', text });
