import { defined, type ErrorInfo, type ModelCall, type RuntimeStageRequested, type Usage } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';
import type { ModelFacts } from '@reins/model-catalog';
import type { CallBudget } from '../doors/model/call-budget.ts';
import type { Silence } from '../doors/model/call-silence.ts';
import type { ModelAccess, ModelDoor, ModelGrant } from '../doors/model/model-door.ts';
import { SharedBudget } from '../doors/model/shared-budget.ts';
import type { EndedCall, MeasuredCall } from '../doors/model/usage/metered-call.ts';
import type { UsesWriters } from '../doors/model/uses-writer.ts';
import type { AdapterEventPublisher } from '../signals/signal-publisher.ts';
import { type SilentRun, silenceLabel } from './silence-label.ts';

export interface ModelCallParts {
  readonly door: ModelDoor;
  readonly event: Pick<RuntimeStageRequested, 'runtimeId' | 'budget' | 'workspaceId' | 'requestId'>;
  /** Record how much of its budget each request has used. */
  readonly uses: UsesWriters;
  readonly trace: { modelCall(call: MeasuredCall): void };
  readonly measure: (call: MeasuredCall) => void;
  /** Reports what the stage waits for, in words. */
  readonly report: (label: string) => void;
  /** How long a provider may be silent before this is reported. */
  readonly silentAfterMs?: number;
}

/** The model calls of one stage, through the model door of its host. Publishes them as signals, spans and metrics. */
export class ModelCalls {
  readonly #parts: ModelCallParts;
  #access: ModelAccess | undefined;
  #signals: AdapterEventPublisher | undefined;
  #run: SilentRun | undefined;

  constructor(parts: ModelCallParts) {
    this.#parts = parts;
  }

  /**
   * Opens the door. The executor gets a run token instead of the key of its provider.
   * @throws ReinsError as `ModelDoor.open` does
   */
  open({ endpoint, named, model }: Pick<ModelGrant, 'endpoint' | 'named' | 'model'>): ModelEndpoint {
    if (endpoint.baseUrl === '') return endpoint;
    const { door, silentAfterMs } = this.#parts;
    const onCall = (call: EndedCall): void => this.#ended(named, call);
    const onSilence = (silence: Silence): void => this.#silent(named, silence);
    this.#access = door.open({
      endpoint,
      named,
      ...(model && { model }),
      budget: this.#budget(model),
      onCall,
      onSilence,
      ...defined({ silentAfterMs }),
    });
    return this.#access.endpoint;
  }

  #budget(model: ModelFacts = {}): CallBudget | undefined {
    const { event, uses } = this.#parts;
    const { budget } = event;
    return budget && new SharedBudget(uses, event, budget, model);
  }

  /** Call it before the executor starts. @param run the run, whose limits end a call without a response */
  publishTo(signals: AdapterEventPublisher, run: SilentRun): void {
    this.#signals = signals;
    this.#run = run;
  }

  /** Why a call was refused because of the budget; undefined if none was. */
  get overBudget(): ErrorInfo | undefined {
    return this.#access?.overBudget;
  }

  /** Closes the door. Resolves with the usage of all calls when they have ended; undefined if it is unknown. */
  async end(): Promise<Usage | undefined> {
    return this.#access?.end();
  }

  /** Ends running calls and their signals: those of a fenced attempt must not mix with those of the next one. */
  fence(): void {
    this.#signals = undefined;
    this.#run = undefined;
    this.close();
  }

  /** Ends running calls. Idempotent. */
  close(): void {
    this.#access?.close();
  }

  #silent(named: Pick<ModelCall, 'provider' | 'model'>, silence: Silence): void {
    if (this.#run) this.#parts.report(silenceLabel(named, silence, this.#run, Date.now()));
  }

  #ended(named: Pick<ModelCall, 'provider' | 'model'>, ended: EndedCall): void {
    const { event, trace, measure } = this.#parts;
    const measured = { ...ended, call: { ...named, ...ended.call } };
    this.#signals?.accept({ adapter: event.runtimeId, phase: 'agent.model.call', modelCall: measured.call });
    trace.modelCall(measured);
    measure(measured);
  }
}
