import type { AnyEvent, EventType } from '@reins/contracts';

/** A trace view that includes an event. Views are for reading only and never affect execution. */
export interface TraceView {
  readonly view: TraceViewName;
  readonly category: TraceCategory;
}

export type TraceCategory =
  | 'request'
  | 'tool'
  | 'adapter'
  | 'memory'
  | 'artifact'
  | 'spec'
  | 'plan'
  | 'delegation'
  | 'stage';

const VIEWS = {
  'runtime.trace.request': 'request',
  'runtime.trace.tool.direct': 'tool',
  'runtime.trace.agent.tool': 'adapter',
  'runtime.trace.adapter': 'adapter',
  'runtime.trace.memory': 'memory',
  'runtime.trace.artifact': 'artifact',
  'runtime.trace.spec': 'spec',
  'runtime.trace.plan': 'plan',
  'runtime.trace.delegation': 'delegation',
  'runtime.trace.stage': 'stage',
} as const satisfies Record<string, TraceCategory>;

export type TraceViewName = keyof typeof VIEWS;

/** View of facts and signals by type prefix; the first match wins. */
const BY_PREFIX: readonly (readonly [prefix: string, view: TraceViewName])[] = [
  ['runtime.request.', 'runtime.trace.request'],
  ['runtime.execution.contract.failed', 'runtime.trace.request'],
  ['runtime.tool.direct.', 'runtime.trace.tool.direct'],
  ['runtime.tool.denied', 'runtime.trace.tool.direct'],
  ['runtime.memory.', 'runtime.trace.memory'],
  ['runtime.artifact.created', 'runtime.trace.artifact'],
  ['runtime.specDriven.phase.', 'runtime.trace.spec'],
  ['runtime.plan.', 'runtime.trace.stage'],
  ['runtime.prepare.', 'runtime.trace.stage'],
  ['runtime.stage.', 'runtime.trace.stage'],
  ['control.directive.emitted', 'runtime.trace.stage'],
];

const AGENT_TOOL: ReadonlySet<string | undefined> = new Set(['agent.tool.start', 'agent.tool.result']);

/** Returns the trace views that include an event. */
export function traceViewsOf(event: AnyEvent): readonly TraceView[] {
  const names = 'event' in event ? adapterViews(event) : factView(event.type);
  return names.map((view) => ({ view, category: VIEWS[view] }));
}

function factView(type: EventType): TraceViewName[] {
  const found = BY_PREFIX.find(([prefix]) => type.startsWith(prefix));
  return found ? [found[1]] : [];
}

/** Every signal is in the adapter view; tools, plans and delegations are in their own view as well. */
function adapterViews({ event }: Extract<AnyEvent, { event: unknown }>): TraceViewName[] {
  const views: TraceViewName[] = ['runtime.trace.adapter'];
  if (AGENT_TOOL.has(event.phase)) views.push('runtime.trace.agent.tool');
  if (event.traceType !== undefined) views.push(`runtime.trace.${event.traceType}`);
  return views;
}

/** Views of the server-sent event stream, with the names that clients use. */
export type StreamView =
  | { readonly view: 'runtime.stream.tool.progress'; readonly event: 'stable_harness.tool.progress' }
  | { readonly view: 'runtime.stream.progress.narration'; readonly event: 'stable_harness.progress.narration' };

/** Returns the stream view of a subject type, if any. */
export function streamViewOf(type: EventType): StreamView | undefined {
  if (type.startsWith('runtime.tool.direct.') || type.startsWith('agent.tool.')) {
    return { view: 'runtime.stream.tool.progress', event: 'stable_harness.tool.progress' };
  }
  if (type === 'runtime.progress.narration') {
    return { view: 'runtime.stream.progress.narration', event: 'stable_harness.progress.narration' };
  }
  return undefined;
}
