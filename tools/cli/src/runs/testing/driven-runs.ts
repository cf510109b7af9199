import type { JsonObject } from '@reins/contracts';
import type { Workbench } from './command-line.ts';

/** Helpers that drive runs through the command line, step by step. */
export function drivenRuns(bench: Workbench) {
  let runs = 0;

  /** Creates a run of a process with this body and iterates it once. */
  async function started(body: string, ...args: string[]) {
    runs += 1;
    const id = `run-${runs}`;
    const entry = bench.process(id, body);
    await bench.json(['run:create', '--run-id', id, '--entry', entry, ...args]);
    const iteration = await bench.reins(['run:iterate', id]);
    return { id, iteration: iteration.json };
  }

  const tasks = async (id: string, ...args: string[]) =>
    (await bench.json(['task:list', id, ...args])).tasks as JsonObject[];
  const pending = async (id: string) => String((await tasks(id, '--pending'))[0]?.effectId);
  const post = async (id: string, ...args: string[]) => bench.reins(['task:post', id, await pending(id), ...args]);
  const ok = (id: string, value: unknown) => post(id, '--status', 'ok', '--value-inline', JSON.stringify(value));
  const iterate = (id: string) => bench.reins(['run:iterate', id]);
  const status = (id: string) => bench.json(['run:status', id]);
  const types = async (id: string) =>
    ((await bench.json(['run:events', id])).events as JsonObject[]).map(({ type }) => type);

  return { started, tasks, pending, post, ok, iterate, status, types };
}
