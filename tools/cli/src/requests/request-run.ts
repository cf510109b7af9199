import type { CliContext } from '../context.ts';
import type {
  AssignFlags,
  EventsFlags,
  ForkFlags,
  HaltFlags,
  PostFlags,
  ReasonFlags,
  RecoverFlags,
  RepairFlags,
  ReplayFlags,
  TaskListFlags,
} from '../runs/flags.ts';
import type { RunBackend } from '../runs/run-backend.ts';

/** Imported when a command needs them, so that the CLI starts quickly. */
const inspect = () => import('./inspect.ts');
const changes = () => import('./run-changes.ts');

/** The run of a request. Reads its journal from the bus, and changes it through the gateway. */
export class RequestRun implements RunBackend {
  readonly #context: CliContext;
  readonly #requestId: string;

  constructor(context: CliContext, requestId: string) {
    this.#context = context;
    this.#requestId = requestId;
  }

  async status() {
    return (await inspect()).requestStatus(this.#context, this.#requestId);
  }

  async events(flags: EventsFlags, limit: number) {
    return (await inspect()).requestEvents(this.#context, this.#requestId, flags, limit);
  }

  async tasks(flags: TaskListFlags) {
    return (await inspect()).requestTasks(this.#context, this.#requestId, flags);
  }

  async task(effectId: string) {
    return (await inspect()).requestTask(this.#context, this.#requestId, effectId);
  }

  async verify() {
    const report = await (await inspect()).verifyRequest(this.#context, this.#requestId);
    return { requestId: this.#requestId, ...report };
  }

  async replay(flags: ReplayFlags) {
    return (await import('./replay.ts')).replayRequest(this.#context, this.#requestId, flags);
  }

  async iterate() {
    const report = await (await import('./iterate.ts')).requestIteration(this.#context, this.#requestId);
    return { report, takesPosts: false };
  }

  async diffSide() {
    return (await import('./diff-side.ts')).requestDiffSide(this.#context, this.#requestId);
  }

  async changedFiles() {
    return (await import('./changed-files.ts')).requestChangedFiles(this.#context, this.#requestId);
  }

  async bundle() {
    return (await import('./bundle.ts')).packRequest(this.#context, this.#requestId);
  }

  async assign(entry: string, flags: AssignFlags) {
    return (await changes()).assignOnBus(this.#context, this.#requestId, entry, flags);
  }

  async halt(flags: HaltFlags) {
    return (await changes()).haltOnBus(this.#context, this.#requestId, flags);
  }

  async rebuildState(flags: { readonly dryRun?: boolean }) {
    return (await changes()).comparedRequest(this.#context, this.#requestId, flags);
  }

  async recover(flags: RecoverFlags) {
    return (await changes()).recoverOnBus(this.#context, this.#requestId, flags);
  }

  async repair({ dryRun }: RepairFlags) {
    return (await import('./repair.ts')).repairRequest(this.#context, this.#requestId, dryRun === true);
  }

  async post(effectId: string, flags: PostFlags) {
    return (await changes()).postOnBus(this.#context, this.#requestId, effectId, flags);
  }

  async cancel(effectId: string, flags: ReasonFlags) {
    return (await changes()).cancelOnBus(this.#context, this.#requestId, effectId, flags);
  }

  async invalidate(effectId: string, flags: ReasonFlags) {
    return (await changes()).invalidateOnBus(this.#context, this.#requestId, effectId, flags);
  }

  async fork(at: string, flags: ForkFlags) {
    return (await changes()).forkOnBus(this.#context, this.#requestId, at, flags);
  }
}
