import { wrongUsage } from '../../arguments.ts';
import type { CliContext } from '../../context.ts';
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
} from '../flags.ts';
import type { RunHandle } from '../locate.ts';
import type { RunBackend } from '../run-backend.ts';

/** Imported when a command needs them, so that the CLI starts quickly. */
const inspect = () => import('./inspect.ts');
const tasks = () => import('./tasks.ts');
const maintenance = () => import('./maintenance.ts');
const assignHalt = () => import('./assign-halt.ts');
const post = () => import('./post.ts');

/** The run of a run directory. Needs no running system. */
export class DirectoryRun implements RunBackend {
  readonly #context: CliContext;
  /** How the command line names the run. */
  readonly #argument: string;
  readonly #handle: RunHandle;

  constructor(context: CliContext, argument: string, handle: RunHandle) {
    this.#context = context;
    this.#argument = argument;
    this.#handle = handle;
  }

  async status() {
    return (await inspect()).directoryStatus(this.#context, this.#handle);
  }

  async events(flags: EventsFlags, limit: number) {
    return (await inspect()).directoryEvents(this.#handle, flags, limit);
  }

  async tasks(flags: TaskListFlags) {
    return (await tasks()).directoryTasks(this.#handle, flags);
  }

  async task(effectId: string) {
    return (await tasks()).directoryTask(this.#handle, effectId);
  }

  async verify() {
    return (await maintenance()).verifyDirectory(this.#handle);
  }

  async replay(flags: ReplayFlags) {
    return (await import('./replay.ts')).replayDirectory(this.#context, this.#handle, flags);
  }

  async iterate() {
    const report = await (await import('./iterate.ts')).iterateDirectory(this.#context, this.#handle);
    return { report, takesPosts: true };
  }

  async diffSide() {
    return (await import('./diff-side.ts')).directoryDiffSide(this.#handle);
  }

  async changedFiles(): Promise<never> {
    const message = `${this.#argument} is a run directory, which needs a second run to compare with`;
    throw wrongUsage(message, 'Use `reins diff <a> <b>`.');
  }

  async bundle() {
    return (await import('./bundle.ts')).packDirectory(this.#handle);
  }

  async assign(entry: string, flags: AssignFlags) {
    return (await assignHalt()).assignInDirectory(this.#context, this.#handle, entry, flags);
  }

  async halt(flags: HaltFlags) {
    return (await assignHalt()).haltInDirectory(this.#handle, flags);
  }

  async rebuildState(flags: { readonly dryRun?: boolean }) {
    return (await maintenance()).rebuildDirectory(this.#handle, flags);
  }

  async recover(flags: RecoverFlags) {
    return (await maintenance()).recoverDirectory(this.#handle, flags);
  }

  async repair(flags: RepairFlags) {
    return (await import('./repair.ts')).repairDirectory(this.#context, this.#handle, flags);
  }

  async post(effectId: string, flags: PostFlags) {
    return (await post()).postInDirectory(this.#context, this.#handle, effectId, flags);
  }

  async cancel(effectId: string, flags: ReasonFlags) {
    return (await post()).cancelInDirectory(this.#handle, effectId, flags);
  }

  async invalidate(effectId: string, flags: ReasonFlags) {
    return (await post()).invalidateInDirectory(this.#handle, effectId, flags);
  }

  async fork(at: string, flags: ForkFlags) {
    return (await import('./fork.ts')).forkDirectory(this.#context, this.#handle, at, flags);
  }
}
