import { ReinsError } from '@reins/contracts';
import type { HarnessRun, OfferedTool } from '../contract.ts';
import type { ToolClient } from './tool-client.ts';

/** The result of a call. */
export interface ToolCallOutcome {
  readonly text: string;
  readonly isError: boolean;
  /** Set by a tool that asks the user. */
  readonly question: string | undefined;
}

/**
 * The tools that are served to a run. Connects and loads the client at the first call: most executions call none, and
 * the client is a large part of what a process loads.
 */
export class RunTools {
  readonly tools: readonly OfferedTool[];
  readonly #run: Pick<HarnessRun, 'mcpServers' | 'deadlines'>;
  readonly #signal: AbortSignal;
  #connecting: Promise<ToolClient> | undefined;

  constructor(run: Pick<HarnessRun, 'mcpServers' | 'deadlines'>, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
    this.tools = run.mcpServers.flatMap(({ tools }) => tools);
  }

  has(name: string): boolean {
    return this.tools.some((tool) => tool.name === name);
  }

  /** @throws ReinsError `mcp_server_failed` */
  async call(name: string, args: Record<string, unknown>, callId: string): Promise<ToolCallOutcome> {
    const [{ resultText }, { questionOf }] = await Promise.all([import('./tool-client.ts'), import('./question.ts')]);
    this.#connecting ??= this.#connect();
    const client = await this.#connecting;
    const { totalMs } = this.#run.deadlines;
    const result = await client.call(name, args, { signal: this.#signal, timeoutMs: totalMs, callId });
    return { text: resultText(result), isError: result.isError === true, question: questionOf(result) };
  }

  async close(): Promise<void> {
    const client = await this.#connecting?.catch(() => undefined);
    await client?.close();
  }

  async #connect(): Promise<ToolClient> {
    const { ToolClient } = await import('./tool-client.ts');
    try {
      return await ToolClient.connect(this.#run.mcpServers, this.#signal);
    } catch (cause) {
      this.#signal.throwIfAborted();
      const message = `cannot connect to the tools of the run: ${(cause as Error).message}`;
      throw new ReinsError({ code: 'mcp_server_failed', message }, { cause });
    }
  }
}
