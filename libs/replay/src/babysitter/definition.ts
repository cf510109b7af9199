import { isObject, type JsonObject } from '@reins/contracts';
import type { DefinedTask, TaskBuildContext, TaskDefinition } from '../process-context.ts';
import { type TaskFileTarget, taskFiles } from './task-files.ts';

/** The same task, built as in babysitter: with labels and files, and without probable secrets. */
export function withBabysitterBuild<Args>(task: DefinedTask<Args>, place: TaskFileTarget): DefinedTask<Args> {
  if (typeof task?.build !== 'function') return task;
  const build = (args: Args, context: TaskBuildContext): TaskDefinition => {
    const labels: string[] = context.label === undefined ? [] : [context.label];
    const definition = task.build(args, Object.freeze({ ...context, ...taskFiles(place, context.effectId), labels }));
    return isObject(definition) ? redacted(withLabels(definition, labels)) : definition;
  };
  return { id: task.id, build };
}

/** Merges the labels of the call and of the definition: trimmed, unique, sorted. */
function withLabels(definition: TaskDefinition, more: readonly string[]): TaskDefinition {
  const own = Array.isArray(definition.labels) ? definition.labels : [];
  const labels = [...new Set([...more, ...own].map((label) => String(label).trim()).filter((label) => label !== ''))];
  return labels.length === 0 ? definition : { ...definition, labels: labels.toSorted() };
}

const SECRET = /SECRET|TOKEN|PASSWORD|KEY/i;

/** Keeps environment variables that look like secrets out of the journal, and lists their names instead. */
function redacted(definition: TaskDefinition): TaskDefinition {
  const { node } = definition;
  if (!isObject(node) || !isObject(node.env)) return definition;
  const names = Object.keys(node.env);
  const secret = names.filter((name) => SECRET.test(name)).toSorted();
  if (secret.length === 0) return definition;
  const env = Object.fromEntries(Object.entries(node.env).filter(([name]) => !secret.includes(name))) as JsonObject;
  const metadata = { ...(isObject(definition.metadata) && definition.metadata), redactedEnvKeys: secret } as JsonObject;
  return { ...definition, node: { ...node, env } as JsonObject, metadata };
}
