import type { JsonObject } from '@reins/contracts';
import { type CompileInput, compileWorkspace } from '@reins/workspace-plan';
import { eventLine } from '../output/event-line.ts';

/** Event types or prefix patterns, such as `runtime.tool.*` or `*`. */
export type EventPatterns = readonly string[];

/**
 * The events of a run to show, as configured by `runtime.cli.events` of the workspace. Shows all events if only
 * narration is included but narration is disabled, or if the workspace does not compile: the run then reports the
 * diagnostics.
 */
export function eventsShownFor(input: CompileInput): EventPatterns {
  const compiled = compileWorkspace(input);
  const runtime = compiled.ok ? compiled.plan.extensions?.runtime : undefined;
  if (!runtime) return ['*'];
  const { narration, cli_events } = runtime;
  const narrationOnly = cli_events.every((pattern) => pattern === 'runtime.progress.narration');
  return narrationOnly && !narration.enabled ? ['*'] : cli_events;
}

/** The line of an event, if a pattern matches its type or, for a signal, its phase. */
export function shownLine(
  body: JsonObject,
  patterns: EventPatterns,
  lineOf: (body: JsonObject) => string | undefined = eventLine,
): string | undefined {
  const { type, event } = body;
  const phase = typeof event === 'object' && event !== null && 'phase' in event ? event.phase : undefined;
  const names = [type, phase].filter((name) => typeof name === 'string');
  const line = lineOf(body);
  return patterns.some((pattern) => names.some((name) => matches(name, pattern))) ? line : undefined;
}

const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
