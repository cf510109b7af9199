const QUEUE = { name: 'bench', kind: 'TASK_QUEUE_KIND_NORMAL' };
const RUN_ID = '0190a0a0-0000-7000-8000-000000000000';

/** The SDK metadata of the first task. Without core flag 1, the worker would not compare ids and types of activities. */
const SDK = { sdkName: 'temporal-typescript', sdkVersion: '1.24.0', coreUsedFlags: [1, 2, 3], langUsedFlags: [1, 2] };

interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
  readonly [attributes: string]: unknown;
}

/**
 * The history of the workflow `sequential` in proto3 JSON, as a server would record it. Each activity has six events:
 * scheduled, started and completed, for the activity and for the workflow task that follows.
 */
export function historyOf(activities: number): { readonly events: readonly HistoryEvent[] } {
  const events: HistoryEvent[] = [];
  /** Appends an event. @returns its id */
  const add = (type: string, attributes: object): string => {
    const eventId = String(events.length + 1);
    const [first = '', ...rest] = type.split('_').map((word) => word[0] + word.slice(1).toLowerCase());
    events.push({
      eventId,
      eventTime: new Date(1_770_000_000_000 + events.length).toISOString(),
      eventType: `EVENT_TYPE_${type}`,
      [`${first.toLowerCase()}${rest.join('')}EventAttributes`]: attributes,
    });
    return eventId;
  };
  const workflowTask = (): string => {
    const scheduledEventId = add('WORKFLOW_TASK_SCHEDULED', { taskQueue: QUEUE, attempt: 1 });
    const startedEventId = add('WORKFLOW_TASK_STARTED', { scheduledEventId });
    return add('WORKFLOW_TASK_COMPLETED', {
      scheduledEventId,
      startedEventId,
      ...(startedEventId === '3' && { sdkMetadata: SDK }),
    });
  };
  const activity = (i: number, workflowTaskCompletedEventId: string): void => {
    const scheduledEventId = add('ACTIVITY_TASK_SCHEDULED', {
      activityId: String(i + 1),
      activityType: { name: 'work' },
      taskQueue: QUEUE,
      input: payloads({ i, text: 'some words of an argument' }),
      startToCloseTimeout: '60s',
      workflowTaskCompletedEventId,
    });
    const startedEventId = add('ACTIVITY_TASK_STARTED', { scheduledEventId, attempt: 1 });
    add('ACTIVITY_TASK_COMPLETED', { scheduledEventId, startedEventId, result: payloads({ n: 1 }) });
  };

  add('WORKFLOW_EXECUTION_STARTED', {
    workflowType: { name: 'sequential' },
    workflowId: 'bench',
    taskQueue: QUEUE,
    input: payloads(activities),
    workflowTaskTimeout: '10s',
    originalExecutionRunId: RUN_ID,
    firstExecutionRunId: RUN_ID,
    attempt: 1,
  });
  let last = workflowTask();
  for (let i = 0; i < activities; i += 1) {
    activity(i, last);
    last = workflowTask();
  }
  add('WORKFLOW_EXECUTION_COMPLETED', { result: payloads(activities), workflowTaskCompletedEventId: last });
  return { events };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const payloads = (value: unknown): object => ({
  payloads: [{ metadata: { encoding: base64('json/plain') }, data: base64(JSON.stringify(value)) }],
});
