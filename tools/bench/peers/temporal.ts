/**
 * Replay by the worker of Temporal, without a server: `{events}` of one history. The worker and its bundle of workflow code are there before, and stay.
 */
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  type ReplayResult,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { serve } from './contestant.ts';
import { historyOf } from './temporal-history.ts';

/** So many events an activity leaves behind, with the workflow task that it leads to. */
const EVENTS_OF_AN_ACTIVITY = 6;

type Waiting = { readonly history: ReturnType<typeof historyFromJSON>; readonly workflowId: string };

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
});
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: join(import.meta.dirname, 'temporal-workflow.ts'),
  logger: new DefaultLogger('ERROR'),
});

let next = Promise.withResolvers<Waiting | undefined>();
async function* asked(): AsyncGenerator<Waiting> {
  for (let one = await next.promise; one !== undefined; one = await next.promise) {
    next = Promise.withResolvers();
    yield one;
  }
}
const results: AsyncIterator<ReplayResult> = Worker.runReplayHistories({ workflowBundle }, asked());

const histories = new Map<number, Waiting['history']>();
function history(events: number): Waiting['history'] {
  const made = histories.get(events) ?? historyFromJSON(historyOf(Math.round(events / EVENTS_OF_AN_ACTIVITY)));
  histories.set(events, made);
  return made;
}

async function replay(of: Waiting['history']): Promise<void> {
  next.resolve({ history: of, workflowId: 'bench' });
  const { value } = await results.next();
  if (value?.error) throw value.error;
}

// A workflow that asks for other things than its history holds is noticed: what is measured does compare.
const other = historyFromJSON(historyOf(2));
const scheduled = other.events?.find((event) => event.activityTaskScheduledEventAttributes);
if (scheduled?.activityTaskScheduledEventAttributes)
  scheduled.activityTaskScheduledEventAttributes.activityType = { name: 'other' };
if (
  await replay(other).then(
    () => true,
    () => false,
  )
)
  throw new Error('a history of other activities was replayed without an error');

// The round that warms up makes the history as well; the others find it.
serve(
  ({ events = 0 }) => replay(history(events)),
  async () => {
    next.resolve(undefined);
    await results.next();
  },
);
