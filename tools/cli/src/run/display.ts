import type { JsonObject } from '@reins/contracts';
import { type CompileInput, compileWorkspace } from '@reins/workspace-plan';
import { eventLine } from '../output/event-line.ts';

/** Types of events, or patterns: `runtime.tool.*` is all that begin so, `*` all. */
export type EventPatterns = readonly string[];

/**
 * Which events of a run a workspace wants people to see: what `runtime.cli.events` includes, the narration alone where its runs are narrated, and
 * everything where there is nothing else to see. A workspace that does not compile is refused by the run itself, with its findings.
 */
export function eventsShownFor(input: CompileInput): EventPatterns {
  const compiled = compileWorkspace(input);
  const runtime = compiled.ok ? compiled.plan.extensions?.runtime : undefined;
  if (!runtime) return ['*'];
  const { narration, cli_events } = runtime;
  const narrationAlone = cli_events.every((pattern) => pattern === 'runtime.progress.narration');
  return narrationAlone && !narration.enabled ? ['*'] : cli_events;
}

/** The line of an event, if the patterns include its type. A signal counts under the name of its phase, too. */
export function shownLine(body: JsonObject, patterns: EventPatterns): string | undefined {
  const { type, event } = body;
  const phase = typeof event === 'object' && event !== null && 'phase' in event ? event.phase : undefined;
  const names = [type, phase].filter((name) => typeof name === 'string');
  return patterns.some((pattern) => names.some((name) => matches(name, pattern))) ? eventLine(body) : undefined;
}

const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
