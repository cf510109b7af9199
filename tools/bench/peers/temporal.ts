/**
 * Replays a history of `{events}` events with the Temporal worker, without a server. The worker and the workflow bundle are created once.
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

/** The events of one activity, including the workflow task that follows. */
const EVENTS_PER_ACTIVITY = 6;

type ReplayTask = { readonly history: ReturnType<typeof historyFromJSON>; readonly workflowId: string };

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
});
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: join(import.meta.dirname, 'temporal-workflow.ts'),
  logger: new DefaultLogger('ERROR'),
});

let next = Promise.withResolvers<ReplayTask | undefined>();
async function* tasks(): AsyncGenerator<ReplayTask> {
  for (let one = await next.promise; one !== undefined; one = await next.promise) {
    next = Promise.withResolvers();
    yield one;
  }
}
const results: AsyncIterator<ReplayResult> = Worker.runReplayHistories({ workflowBundle }, tasks());

const histories = new Map<number, ReplayTask['history']>();
function history(events: number): ReplayTask['history'] {
  const history = histories.get(events) ?? historyFromJSON(historyOf(Math.round(events / EVENTS_PER_ACTIVITY)));
  histories.set(events, history);
  return history;
}

async function replay(of: ReplayTask['history']): Promise<void> {
  next.resolve({ history: of, workflowId: 'bench' });
  const { value } = await results.next();
  if (value?.error) throw value.error;
}

// Checks that the replay compares: a history with other activities must fail.
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
  throw new Error('replaying a history with other activities did not fail');

// The warm-up round creates the history; the other rounds reuse it.
serve(
  ({ events = 0 }) => replay(history(events)),
  async () => {
    next.resolve(undefined);
    await results.next();
  },
);
