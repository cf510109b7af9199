import { defined, type JsonValue } from '@reins/contracts';
import { foldRun, type JournalStore, memoryStream, streamJournalStore } from '@reins/journal';
import { type BabysitterProcess, babysitterProcess, defineTask } from '../babysitter/index.ts';
import { LocalRun } from '../local/local-run.ts';

/** Task definitions, as a process file declares them. */
export const node = defineTask<JsonValue>('step', (args) => ({ kind: 'node', title: 'Step', args }));
export const shell = defineTask<JsonValue>('sh', () => ({ kind: 'shell', shell: { command: 'false' } }));
/** A clock that does not move. */
export const at = (iso: string) => () => new Date(iso);
const NOW = at('2026-01-01T00:00:00.000Z');

/** A run of a babysitter process, with a fixed clock. */
export class BabysitterFixture {
  readonly store: JournalStore = streamJournalStore(memoryStream());
  readonly run = { workspaceId: 'local', runId: 'run-1' };

  create(
    process: BabysitterProcess,
    inputs: JsonValue = null,
    more: { nonInteractive?: boolean; bare?: boolean } = {},
  ): Promise<LocalRun> {
    const { bare = false, ...options } = more;
    const definition = babysitterProcess('p', 'v1', process);
    const created = bare ? { inputs, process: { id: 'bare-run', codeHash: 'none' } } : { inputs };
    return LocalRun.create({ store: this.store, run: this.run, definition, now: NOW, ...options }, created);
  }

  open(process: BabysitterProcess, now = NOW): Promise<LocalRun> {
    return LocalRun.open({ store: this.store, run: this.run, definition: babysitterProcess('p', 'v2', process), now });
  }

  async types(): Promise<string[]> {
    return (await this.store.load(this.run)).entries.map(({ type }) => type);
  }

  async state() {
    return foldRun(this.run, (await this.store.load(this.run)).entries);
  }
}

/** The output of the run, or how else it ended. */
export const output = ({ state }: LocalRun) => (state.end?.status === 'completed' ? state.end.output : state.end);
/** The first pending effect. */
export const first = (local: LocalRun) => local.pending[0]?.effectId as string;
/** Posted answers. */
export const ok = (value: JsonValue) => ({ status: 'ok', value }) as const;
export const error = (message: string, name = 'Error', data?: JsonValue) =>
  ({
    status: 'error',
    error: { code: 'task_failed', message },
    details: { name, message, ...defined({ data }) },
  }) as const;
