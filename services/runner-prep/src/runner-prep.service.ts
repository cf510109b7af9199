import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Blobs, type Bus, type BusMessage, OrderedPublisher } from '@reins/bus';
import { type ErrorInfo, type EventOf, isReinsError, type Problem } from '@reins/contracts';
import {
  type AnswerFields,
  BUS,
  ENVIRONMENT,
  type Environment,
  HarnessWatch,
  LOG,
  type Logger,
  openTrees,
  Settings,
  sendAnswer,
} from '@reins/service-kit';
import { Attachments } from './attachments/attachments.ts';
import { TextExtractor } from './attachments/text-extractor.ts';
import { harnessCapabilities } from './harness-capabilities.ts';
import { installationOf, secretsOf } from './installation.ts';
import { Preparer } from './preparer.ts';
import { SkillLibrary } from './staging/skill-library.ts';
import { desktopOf } from './staging/surfaces.ts';

/** Answers requests for preparation. */
@Injectable()
export class RunnerPrepService implements OnModuleInit, OnModuleDestroy {
  #harnesses!: HarnessWatch;
  #publisher!: OrderedPublisher;
  #preparer!: Preparer;
  readonly #seen = new Map<string, readonly string[]>();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async onModuleInit(): Promise<void> {
    const { prepare } = this.settings;
    this.#publisher = new OrderedPublisher(this.bus);
    this.#harnesses = await HarnessWatch.start(this.bus);
    const blobs = await Blobs.open(this.bus);
    const extractor = new TextExtractor({ deadlineMs: prepare.extractDeadlineMs, memoryMb: prepare.extractMemoryMb });
    this.#preparer = new Preparer({
      blobs,
      trees: await openTrees(this.bus),
      attachments: new Attachments({ blobs, extractor }),
      skills: await SkillLibrary.open(prepare.skillsDir),
      installation: installationOf(this.settings),
      desktop: desktopOf(this.settings),
      contextDeadlineMs: prepare.contextDeadlineMs,
      harnessOf: (runtimeId) => harnessCapabilities(this.#capabilitiesOf(runtimeId)),
      secrets: secretsOf(this.settings, this.environment),
    });
  }

  /** What a runtime can do does not change because its hosts are away for a moment. */
  #capabilitiesOf(runtimeId: string): readonly string[] {
    const now = this.#harnesses.capabilitiesOf(runtimeId);
    if (now.length > 0) this.#seen.set(runtimeId, now);
    return this.#seen.get(runtimeId) ?? now;
  }

  async onModuleDestroy(): Promise<void> {
    this.#harnesses.stop();
    await this.#publisher.close();
  }

  /** Prepares the stage that is asked for, and answers. What the request itself makes impossible is an answer, not a failure of ours. */
  async prepare(event: EventOf<'runtime.prepare.requested'>, message: BusMessage): Promise<void> {
    try {
      const prepared = await this.#preparer.prepare(event);
      for (const { code, path, message: text } of prepared.warnings ?? [])
        this.log.warn({ requestId: event.requestId, code, path }, text);
      await sendAnswer(this.#publisher, message, event, 'runtime.prepare.completed', prepared);
    } catch (error) {
      if (!isReinsError(error) || isOurs(error.code)) throw error;
      await sendAnswer(this.#publisher, message, event, 'runtime.prepare.failed', failureOf(error.problems));
    }
  }
}

/** As many problems of one preparation are told. */
const MAX_TOLD = 50;

/** The first problem stands for all of them, and says how many there are. */
function failureOf(problems: readonly Problem[]): AnswerFields<'runtime.prepare.failed'> {
  const told = problems.slice(0, MAX_TOLD).map(
    ({ code, message, path, hint }): ErrorInfo => ({
      code,
      message,
      ...(path !== undefined && { path }),
      ...(hint !== undefined && { hint }),
    }),
  );
  const [first] = told as [ErrorInfo];
  if (problems.length === 1) return { error: first };
  return { error: { ...first, message: `${first.message} (and ${problems.length - 1} more)` }, problems: told };
}

/** Errors of the bus and its stores say nothing about the request: the message is delivered again. */
const isOurs = (code: string): boolean => code.startsWith('bus_') || code.startsWith('blob_');
