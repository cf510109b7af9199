import { type CommandRunSubmit, defined, type EventOf, type JsonObject, parseJson } from '@reins/contracts';
import { hashJson, type RunState } from '@reins/journal';
import type { StoredMessage } from '../server/log.ts';
import { allJournals, stateOf } from '../server/read-journals.ts';
import { INVALID_INPUT, MAIN } from './authored.ts';
import { inboxMessage } from './inbox-message.ts';
import { PROCESSES } from './processes.ts';
import type { WorldOptions } from './world-options.ts';

const WORKSPACE = 'ws';
/** Maximum time until the first and the second person answer a question. */
const THINKING_MS = [4_000, 20_000] as const;
const INPUTS: Readonly<Record<string, JsonObject | string>> = {
  'direct-tool': { toolId: 'hammer', args: { nail: 1 } },
  workflow: { workflowId: 'flow', adapter: 'echo' },
};

/** The clients: they submit requests and send commands to their runs. */
export class Clients {
  readonly #world: WorldOptions;
  readonly submitted = new Map<string, CommandRunSubmit>();
  #commands = 0;

  constructor(world: WorldOptions) {
    this.#world = world;
  }

  /** @param within the virtual milliseconds in which all requests are submitted */
  submit(requests: number, within: number): void {
    const { random } = this.#world;
    for (let number = 1; number <= requests; number += 1) {
      const process = random.weighted(PROCESSES).id;
      const isMain = process === MAIN;
      const requestId = `req${number}-${process.replace(/^.*#/, 'own-')}`;
      const body: CommandRunSubmit = {
        type: 'command.run.submit',
        requestId,
        sessionId: random.chance(0.5) ? 'shared' : requestId,
        agentId: 'main',
        workspaceId: WORKSPACE,
        idempotencyKey: requestId,
        revision: hashJson('revision'),
        input: INPUTS[process] ?? (isMain && random.chance(0.1) ? INVALID_INPUT : `do ${requestId}`),
        // Without a process the default of the workspace is used.
        ...((!isMain || random.chance(0.5)) && { process }),
        submittedAt: new Date(this.#world.scheduler.now).toISOString(),
      };
      this.submitted.set(requestId, body);
      this.#send(random.between(0, within), `${requestId}.submit`, body as unknown as JsonObject);
    }
  }

  /** Sends random commands to random runs, some of them twice. */
  sendRandomCommands(times: number, within: number): void {
    const { random, scheduler } = this.#world;
    for (let time = 0; time < times; time += 1) {
      scheduler.after(random.between(0, within), () => {
        const runs = [...this.submitted.keys(), ...this.#states().map(({ run }) => run.runId)];
        const runId = random.pick(runs);
        this.#sendCommand(runId, this.#randomCommand(this.#stateOf(runId)));
        return false;
      });
    }
  }

  /** Sends what every waiting run needs to end: answers, signals, decisions, resumes and processes. */
  unblockRuns(round: number): void {
    for (const state of this.#states()) {
      const { runId } = state.run;
      if (state.end || state.head.version === 0) continue;
      if (state.assignBy !== undefined) this.#sendCommand(runId, assign('direct-tool', false));
      if (state.processError) this.#sendCommand(runId, { type: round > 1 ? 'command.run.halt' : 'command.run.resume' });
      else if (state.paused) this.#sendCommand(runId, { type: 'command.run.resume' });
      for (const effect of [...state.pending].map((id) => state.effects.get(id))) {
        if (!effect) continue;
        const { kind, request } = effect;
        if (kind === 'breakpoint') this.#sendCommand(runId, approve(String(request.approvalId)));
        else if (kind === 'signal') this.#sendCommand(runId, signal(String(request.name)));
        // Its answer may be lost: a child run answers once.
        else if (kind === 'child' && round > 3 && this.#world.server.powerFailures > 0)
          this.#sendCommand(runId, { type: 'command.run.cancel' });
        else if (kind === 'task' || effect.status === 'waiting') this.#sendCommand(runId, answer(effect));
      }
    }
  }

  /**
   * Handles a new message of the event log. Two people see each question, and most of them answer what they saw.
   * When the second answer arrives, the stage may have asked its next question.
   */
  onMessage({ data, subject }: StoredMessage): void {
    if (!subject.includes('.request.waiting.')) return;
    const asked = parseJson(data) as unknown as EventOf<'runtime.request.waiting'>;
    const { random, scheduler } = this.#world;
    for (const ms of asked.reason === 'user' ? THINKING_MS : []) {
      if (random.chance(0.3)) continue;
      scheduler.after(random.between(1, ms), () => {
        this.#sendCommand(asked.requestId, answer(asked));
        return false;
      });
    }
  }

  /** Sends late commands to ended runs, and submits every request again. */
  sendLateCommands(within: number): void {
    const { random, scheduler } = this.#world;
    for (const state of this.#states()) {
      scheduler.after(random.between(0, within), () => {
        this.#sendCommand(state.run.runId, this.#randomCommand(state));
        return false;
      });
    }
    for (const [requestId, body] of this.submitted)
      this.#send(random.between(0, within), `${requestId}.late`, body as unknown as JsonObject);
  }

  get haveAllRunsEnded(): boolean {
    const ended = new Set(this.#states().flatMap(({ end, run }) => (end ? [run.runId] : [])));
    const isLost = (id: string): boolean => this.#world.server.powerFailures > 0 && !this.#stateOf(id);
    return (
      [...this.submitted.keys()].every((id) => ended.has(id) || isLost(id)) && this.#states().every(({ end }) => end)
    );
  }

  #randomCommand(state: RunState | undefined): JsonObject {
    const { random } = this.#world;
    const effects = state ? [...state.effects.values()] : [];
    const effect = effects.length > 0 ? random.pick(effects) : undefined;
    const effectId = effect?.effectId ?? 'nothing';
    const simple = ['cancel', 'pause', 'resume', 'pause', 'resume'].map((name) => ({ type: `command.run.${name}` }));
    return random.pick<JsonObject>([
      ...simple,
      signal('go'),
      signal('go'),
      signal('other'),
      answer(effect ?? { effectId }),
      approve(String(effect?.request.approvalId ?? 'nothing')),
      { type: 'command.effect.invalidate', effectId },
      { type: 'command.effect.cancel', effectId },
      assign(random.weighted(PROCESSES).id, random.chance(0.5)),
      ...(random.chance(0.2) ? [{ type: 'command.run.halt', payload: { halted: true } }] : []),
    ]);
  }

  #sendCommand(requestId: string, fields: JsonObject): void {
    const { faults, random } = this.#world;
    this.#commands += 1;
    const submitted = this.submitted.get(requestId);
    const head = { requestId, sessionId: submitted?.sessionId ?? requestId, agentId: 'main', workspaceId: WORKSPACE };
    const idempotencyKey = `command-${this.#commands}`;
    const body = { ...head, idempotencyKey, ...fields };
    this.#send(0, idempotencyKey, body);
    if (random.chance(faults().badWork)) this.#send(random.between(1, 200_000), `${idempotencyKey}-again`, body);
  }

  /** Sends a message, and sometimes again. After the deduplication window the repeat is stored as a new message. */
  #send(ms: number, id: string, body: JsonObject): void {
    const { faults, random, scheduler, server } = this.#world;
    const publish = (as: string) => () => {
      server.publish(inboxMessage(as, body));
      return false;
    };
    scheduler.after(ms, publish(id));
    if (random.chance(faults().unanswered * 4)) scheduler.after(ms + random.between(1, 300_000), publish(id));
  }

  #states(): RunState[] {
    return allJournals(this.#world.server).map(stateOf);
  }

  #stateOf(runId: string): RunState | undefined {
    return this.#states().find(({ run }) => run.runId === runId);
  }
}

const signal = (name: string): JsonObject => ({ type: 'command.signal', name, payload: 'now' });

interface AskedEffect {
  readonly effectId: string;
  readonly questionNumber?: number;
}

/** The answer to the open question of a stage says which question it is for, twice: for the owner and for the checks. */
const answer = ({ effectId, questionNumber }: AskedEffect): JsonObject => ({
  type: 'command.run.answer',
  effectId,
  answer: questionNumber === undefined ? 'this' : { questionNumber },
  answeredBy: 'ann',
  ...defined({ questionNumber }),
});
const assign = (process: string, force: boolean): JsonObject => ({
  type: 'command.run.assign',
  process,
  inputs: INPUTS[process] ?? 'given later',
  force,
});
const approve = (approvalId: string): JsonObject => ({
  type: 'command.approval.resolve',
  approvalId,
  decision: 'approved',
  decidedBy: 'ann',
});
