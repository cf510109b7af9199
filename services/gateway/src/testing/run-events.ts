import { type AnyEvent, type CommandRunSubmit, eventSubject, subjectTypeOf } from '@reins/contracts';
import { until } from '@reins/testing';
import type { TestGateway } from './test-gateway.ts';

/** The first signal of an attempt: tests continue its numbers. */
const STAGE = { stage: 'execute', effectId: 'e1', attempt: 1 } as const;

/** Publishes the events of one request, in place of the control bus and a host. */
export class RunEvents {
  readonly #api: TestGateway;
  readonly #head: Record<string, string>;
  readonly submit: CommandRunSubmit;
  #count = 0;

  constructor(api: TestGateway, submit: CommandRunSubmit) {
    this.#api = api;
    this.submit = submit;
    const { requestId, sessionId, agentId, workspaceId } = submit;
    this.#head = { requestId, sessionId, agentId, workspaceId };
  }

  /** Waits for the next request that the gateway submits. @param seen the number of commands before the call */
  static async next(api: TestGateway, seen: number): Promise<RunEvents> {
    let submit: CommandRunSubmit | undefined;
    await until(async () => {
      const commands = (await api.commands()).slice(seen);
      submit = commands.find((command) => command.type === 'command.run.submit');
      return submit !== undefined;
    });
    const run = new RunEvents(api, submit as CommandRunSubmit);
    await run.fact('runtime.request.started');
    return run;
  }

  async fact(type: string, fields: object = {}): Promise<void> {
    const body = { type, ...this.#head, ...fields } as unknown as AnyEvent;
    await this.#publish(body);
  }

  /** Publishes a signal of the execute stage. */
  async signal(seq: number, event: object, stage: object = {}): Promise<void> {
    const signal = { adapter: 'pi', ...event };
    const body = { type: 'runtime.adapter.event', ...this.#head, event: signal, ...STAGE, seq, ...stage };
    await this.#publish(body as unknown as AnyEvent);
  }

  /** Publishes a part of the text of the execute stage. */
  async delta(seq: number, text: string, stage: object = {}): Promise<void> {
    const event = { adapter: 'pi', phase: 'agent.output.delta', text };
    const body = { type: 'runtime.adapter.event', ...this.#head, event, ...STAGE, seq, ...stage };
    const { workspaceId, requestId } = this.submit;
    await this.#api.bus.js.publish(`agent.output.delta.${workspaceId}.${requestId}`, JSON.stringify(body));
  }

  async narrate(message: string, source: string): Promise<void> {
    const narration = { message, provider: 'template', sourceEventTypes: [source], sourceEventIds: ['e'] };
    await this.fact('runtime.progress.narration', narration);
  }

  async complete(output: unknown): Promise<void> {
    await this.fact('runtime.request.completed', { output });
    await this.#end('converge');
  }

  async fail(error: { readonly code: string; readonly message: string }): Promise<void> {
    await this.fact('runtime.request.failed', { error });
    await this.#end('cancel');
  }

  async cancel(reason: string): Promise<void> {
    await this.fact('runtime.request.cancelled', { reason });
    await this.#end('cancel');
  }

  #end(directive: string): Promise<void> {
    const target = { targetType: 'execution', targetId: this.submit.requestId, directive, isTerminal: true };
    const about = { schemaVersion: 1, emittedBy: 'control-bus', reason: directive };
    return this.fact('control.directive.emitted', { ...target, ...about });
  }

  async #publish(body: AnyEvent): Promise<void> {
    const { workspaceId, requestId } = this.submit;
    const subject = eventSubject({ type: subjectTypeOf(body), workspaceId, requestId });
    this.#count += 1;
    const id = `${requestId}.${this.#count}`;
    const event = { id, seq: 0, subject, source: 'test', time: new Date().toISOString(), body };
    await this.#api.publishEvents([event]);
  }
}
