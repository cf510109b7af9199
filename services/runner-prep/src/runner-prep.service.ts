import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Blobs, type BusMessage, EventPublisher } from '@reins/bus';
import { defined, type ErrorInfo, type EventOf, isReinsError, type Problem } from '@reins/contracts';
import { requestPriceProblem } from '@reins/runtime-config';
import {
  type AnswerFields,
  ENVIRONMENT,
  type Environment,
  HarnessWatch,
  LOG,
  type Logger,
  Settings,
  sendAnswer,
} from '@reins/service-kit';
import { TreeStore } from '@reins/workspace-tree';
import { Attachments } from './attachments/attachments.ts';
import { TextExtractor } from './attachments/text-extractor.ts';
import { harnessCapabilities } from './harness-capabilities.ts';
import { installationOf, secretsOf } from './installation.ts';
import { Preparer } from './preparer.ts';
import { SkillLibrary } from './staging/skill-library.ts';
import { desktopOf } from './staging/surfaces.ts';

/** Handles requests for preparation. */
@Injectable()
export class RunnerPrepService implements OnModuleInit {
  #preparer!: Preparer;
  readonly #lastCapabilities = new Map<string, readonly string[]>();

  constructor(
    @Inject(LOG) private readonly log: Logger,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly blobs: Blobs,
    private readonly trees: TreeStore,
    private readonly harnesses: HarnessWatch,
    private readonly events: EventPublisher,
  ) {}

  async onModuleInit(): Promise<void> {
    const { prepare } = this.settings;
    const { blobs, trees } = this;
    const extractor = new TextExtractor({ deadlineMs: prepare.extractDeadlineMs, memoryMb: prepare.extractMemoryMb });
    this.#preparer = new Preparer({
      blobs,
      trees,
      attachments: new Attachments({ blobs, extractor }),
      skills: await SkillLibrary.open(prepare.skillsDir),
      installation: installationOf(this.settings),
      desktop: desktopOf(this.settings),
      contextDeadlineMs: prepare.contextDeadlineMs,
      priceProblem: (model, limit) => requestPriceProblem(model, limit, this.settings),
      harnessOf: (runtimeId) => harnessCapabilities(this.#capabilitiesOf(runtimeId)),
      offersOf: (runtimeId) => this.harnesses.offers.filter((offer) => offer.runtimeId === runtimeId),
      secrets: secretsOf(this.settings, this.environment),
    });
  }

  /** The capabilities of a runtime. The last known ones are used while its hosts are offline. */
  #capabilitiesOf(runtimeId: string): readonly string[] {
    const current = this.harnesses.capabilitiesOf(runtimeId);
    if (current.length > 0) this.#lastCapabilities.set(runtimeId, current);
    return this.#lastCapabilities.get(runtimeId) ?? current;
  }

  /**
   * Prepares the requested stage and publishes the answer. A problem of the request is an answer; other errors cause a
   * redelivery.
   */
  async prepare(event: EventOf<'runtime.prepare.requested'>, message: BusMessage): Promise<void> {
    try {
      const prepared = await this.#preparer.prepare(event);
      for (const { code, path, message: text } of prepared.warnings ?? [])
        this.log.warn({ requestId: event.requestId, code, path }, text);
      await sendAnswer(this.events, message, event, 'runtime.prepare.completed', prepared);
    } catch (error) {
      if (!isReinsError(error) || isInfrastructureError(error.code)) throw error;
      await sendAnswer(this.events, message, event, 'runtime.prepare.failed', failureOf(error.problems));
    }
  }
}

/** The maximum number of problems in one answer. */
const MAX_REPORTED_PROBLEMS = 50;

/** The first problem is the error of the answer, with the number of further problems in its message. */
function failureOf(problems: readonly Problem[]): AnswerFields<'runtime.prepare.failed'> {
  const reported = problems.slice(0, MAX_REPORTED_PROBLEMS).map(
    ({ code, message, path, hint }): ErrorInfo => ({
      code,
      message,
      ...defined({ path, hint }),
    }),
  );
  const [first] = reported as [ErrorInfo];
  if (problems.length === 1) return { error: first };
  return { error: { ...first, message: `${first.message} (and ${problems.length - 1} more)` }, problems: reported };
}

/** Errors of the bus and its stores are not caused by the request, so the message is redelivered. */
const isInfrastructureError = (code: string): boolean => code.startsWith('bus_') || code.startsWith('blob_');
