import { type JsonObject, ReinsError } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { objectOf, parseObject, textOf } from '../../execution/json.ts';
import type { Conversation, ProcessExecution } from '../../execution/process-execution.ts';
import { ConfinedFile } from '../../files/confined-file.ts';
import { adoptSession } from './adopt-session.ts';
import { agentDirOf, piArguments, piEnvironment, piTools, writeAgentDir } from './agent-dir.ts';
import { piCommand } from './command.ts';
import { messageProblem } from './message-problem.ts';
import { servedTools } from './served-tools.ts';
import { PiTranscript } from './transcript.ts';

/**
 * Talks to pi in RPC mode: the process reads the prompt from stdin and writes its session events to stdout. The last
 * message of the assistant decides the result once pi has settled.
 */
export class PiConversation implements Conversation {
  readonly #run: HarnessRun;
  readonly #execution: ProcessExecution;
  readonly #transcript: PiTranscript;

  constructor(run: HarnessRun, execution: ProcessExecution) {
    this.#run = run;
    this.#execution = execution;
    this.#transcript = new PiTranscript(execution.signals, execution.usage);
  }

  async start(): Promise<void> {
    const [run, execution] = [this.#run, this.#execution];
    const message = await execution.prompt();
    await writeAgentDir(run);
    await adoptSession(run);
    const served = await servedTools(run, agentDirOf(run));
    const images = await readImages(run);
    if (execution.isFinished) return;
    execution.signals.handoff(`${run.providerId}/${run.modelId}`, [...piTools(run), ...served.names]);
    const { command, args } = piCommand(run.environment.settings);
    const environment = piEnvironment(run, served);
    execution.startProcess({ command, args: [...args, ...piArguments(run, served)], environment });
    // The response is the first activity, and contains the session id.
    execution.send({ id: 'state', type: 'get_state' });
    execution.send({ id: 'prompt', type: 'prompt', message, ...(images.length > 0 && { images }) });
  }

  line(line: string): boolean {
    const record = parseObject(line);
    if (!record) return false;
    if (record.type === 'response') this.#response(record);
    else if (record.type === 'agent_settled') this.#settled();
    else {
      this.#transcript.event(record);
      // The calls of the turn have ended, and their results are in the session. pi might go on without the answer.
      if (record.type === 'turn_end') this.#execution.waitFor(this.#transcript.question);
    }
    return true;
  }

  async retry(message: string): Promise<void> {
    this.#execution.send({ id: 'again', type: 'prompt', message });
  }

  abort(): void {
    this.#execution.send({ type: 'abort' });
    this.#execution.closeInput();
  }

  exitsAfter(status: string): boolean {
    return status === 'ok';
  }

  #response(record: JsonObject): void {
    if (record.command === 'get_state')
      this.#execution.sessionId = textOf(objectOf(record.data).sessionId) || undefined;
    else if (record.success !== true) {
      const message = `pi refused ${textOf(record.command)}: ${textOf(record.error)}`;
      this.#execution.fail({ code: 'harness_protocol_invalid', message });
    }
  }

  /** pi has settled and writes nothing more: the last message decides the result. */
  #settled(): void {
    const { last } = this.#transcript;
    const problem = messageProblem(last);
    if (problem) this.#execution.fail(problem);
    else this.#execution.answered(last?.text ?? '');
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
