import { type AnyEvent, defined } from '@reins/contracts';
import type { TaskView } from './tasks.dto.ts';

/** The event types of tasks. */
export const TASK_EVENTS = ['runtime.task.requested', 'runtime.task.completed', 'runtime.task.failed'] as const;

/** Folds the ordered events of a run into its tasks. A task that is requested again is pending again. */
export function tasksOf(events: Iterable<AnyEvent>): TaskView[] {
  const tasks = new Map<string, TaskView>();
  for (const event of events) {
    if (event.type === 'runtime.task.requested') {
      const { effectId, attempt = 1, kind, taskId, label, args, definition, deadline } = event;
      const optional = defined({ label, args, definition, deadline });
      tasks.set(effectId, { effectId, attempt, kind, taskId, status: 'pending', ...optional });
      continue;
    }
    const task = 'effectId' in event ? tasks.get(String(event.effectId)) : undefined;
    if (!task) continue;
    if (event.type === 'runtime.task.completed') Object.assign(task, { status: 'completed', value: event.value });
    if (event.type === 'runtime.task.failed') Object.assign(task, { status: 'failed', error: event.error });
  }
  return [...tasks.values()];
}
