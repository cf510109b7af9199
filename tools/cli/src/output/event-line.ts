import { defined, isObject, type JsonObject, type JsonValue, waitCommands } from '@reins/contracts';
import { detailLines, errorLines, waitParts } from './wait-lines.ts';

/** What is known about an event from outside of it. */
export interface EventContext {
  /** The event is of the past: commands that it called for are no longer right. */
  readonly isPast?: boolean;
  /** The question of a wait, from an earlier event. */
  readonly question?: JsonValue;
  /** The folder of the workspace. */
  readonly dir?: string;
  /** How long the stage or the request took that the event ends. */
  readonly duration?: string;
}

/** Formats an event as one human-readable line. Returns undefined for events that are not shown. */
export function eventLine(body: JsonObject, context: EventContext = {}): string | undefined {
  const type = String(body.type ?? '');
  if (type === 'control.directive.emitted') return directiveLine(body);
  if (type === 'runtime.adapter.event') return adapterEventLine(isObject(body.event) ? body.event : {});
  const describe = FACTS[type];
  return describe?.(body, context);
}

const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

const textIn = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const errorText = (value: JsonValue | undefined): string =>
  isObject(value) ? `${text(value.code)}: ${text(value.message)}` : text(value);

const FACTS: Readonly<Record<string, (body: JsonObject, context: EventContext) => string | undefined>> = {
  'runtime.request.started': (body) => `request ${text(body.requestId)} started`,
  'runtime.plan.compiled': (body) =>
    withFindings(`plan     compiled (${text(body.configChecksum).slice(0, 12)})`, findings(body.diagnostics)),
  'runtime.plan.rejected': (body) => withFindings('plan     rejected:', findings(body.diagnostics)),
  'runtime.prepare.completed': (body) =>
    withFindings(`prepared (${text(body.fingerprint).slice(0, 12)})`, problems(body.warnings, 'warning ')),
  'runtime.prepare.failed': (body) => withFindings('prepare  failed:', problems(body.problems ?? [body.error ?? null])),
  'runtime.stage.claimed': (body) =>
    `stage    ${text(body.stage)} is being prepared by ${text(body.hostId)}, attempt ${text(body.attempt)}`,
  'runtime.stage.started': (body) =>
    `stage    ${text(body.stage)} runs on ${text(body.runtimeId)}, attempt ${text(body.attempt)}`,
  'runtime.stage.completed': (body, context) =>
    `stage    ${text(body.stage)} completed${verdictText(body.verdict)}${took(context)}`,
  'runtime.stage.failed': (body, context) =>
    `stage    ${text(body.stage)} failed${after(context)}: ${errorText(body.error)}`,
  'runtime.stage.cancelled': (body, context) => `stage    ${text(body.stage)} cancelled${after(context)}`,
  'runtime.stage.waiting': (body) => `stage    ${text(body.stage)} waits for an answer: ${text(body.question)}`,
  'runtime.mcp.server.unavailable': (body) =>
    `mcp      ${text(body.serverId)} unavailable${missingTools(body)}: ${text(body.reason)}`,
  'runtime.tool.denied': (body) =>
    withFindings(`tool     ${text(body.toolId)} denied: ${text(body.reason)}`, GATED[text(body.policyId)] ?? []),
  'runtime.request.waiting': waitingLines,
  'runtime.request.resumed': () => 'resumed',
  'runtime.signal.kept': (body) => `signal   ${text(body.signal)} arrived; nothing waits for it yet`,
  'runtime.approval.resolved': (body) =>
    `approval ${text(body.decision)}${body.decidedBy ? ` by ${text(body.decidedBy)}` : ''}${body.comment ? `: ${text(body.comment)}` : ''}`,
  'runtime.task.requested': taskLines,
  'runtime.task.completed': (body) => `task     ${text(body.label ?? body.taskId)} completed`,
  'runtime.task.failed': (body) => `task     ${text(body.label ?? body.taskId)} failed: ${errorText(body.error)}`,
  'runtime.child.started': (body) => `child    run ${text(body.childRequestId)} started`,
  'runtime.child.completed': (body) => `child    run ${text(body.childRequestId)} completed`,
  'runtime.child.failed': (body) => `child    run ${text(body.childRequestId)} failed: ${errorText(body.error)}`,
  'runtime.request.completed': (body, context) =>
    body.halted ? endLine('halted', body.haltedBy, body.reason, context) : `request  completed${took(context)}`,
  'runtime.request.failed': (body, context) =>
    withFindings(
      `request  failed${after(context)}: ${errorText(body.error)}${placeText(body.error)}`,
      errorLines(isObject(body.error) ? (body.error as never) : undefined),
    ),
  'runtime.request.cancelled': (body, context) => endLine('cancelled', body.cancelledBy, body.reason, context),
  'runtime.progress.narration': (body) => text(body.message),
  'runtime.artifact.created': (body) => `artifact ${isObject(body.artifact) ? text(body.artifact.path) : ''}`,
};

/** What a person can do about a denied tool, by the policy that denied it. */
const GATED: Readonly<Record<string, readonly string[]>> = {
  gated_tools: ['List the tool in granted_tools of a skill that the run uses, or remove it from gated_tools.'],
};

/** How an operator ended the request. */
function endLine(
  status: string,
  by: JsonValue | undefined,
  reason: JsonValue | undefined,
  context: EventContext,
): string {
  return `request  ${status}${by ? ` by ${text(by)}` : ''}${after(context)}${reason ? `: ${text(reason)}` : ''}`;
}

/** The duration of what completed, at the end of its line. */
const took = ({ duration }: EventContext): string => (duration === undefined ? '' : ` (${duration})`);

/** The duration of what failed or was ended, before the error or the reason, which may be sentences. */
const after = ({ duration }: EventContext): string => (duration === undefined ? '' : ` after ${duration}`);

const placeText = (error: JsonValue | undefined): string =>
  isObject(error) && error.path !== undefined ? ` (${text(error.path)})` : '';

/** A task that somebody outside answers, and the command. A hook is refused at once, and its failure has a line. */
function taskLines(body: JsonObject, { isPast }: EventContext): string | undefined {
  if (body.kind === 'hook') return undefined;
  const wait = { requestId: text(body.requestId), reason: 'task', effectId: text(body.effectId) };
  const title = isObject(body.definition) ? textIn(body.definition.title) : undefined;
  const name = text(body.label ?? body.taskId);
  const about = title === undefined || title === name ? '' : `: ${title}`;
  return withFindings(`task     ${name} needs a result${about}`, isPast ? [] : waitCommands(wait));
}

/** What the run waits for, what a person needs for the decision, and the commands that end the wait. */
function waitingLines(body: JsonObject, { isPast, question, dir }: EventContext): string {
  const { reason, message, signal, label, expiresAt, questionNumber, process, error } = body;
  const named = defined({ signal: textIn(signal), label: textIn(label) });
  const { what, detail } = waitParts({ reason: text(reason), message: text(message), ...named });
  const until = expiresAt === undefined ? '' : ` until ${text(expiresAt)}`;
  const wait = { requestId: text(body.requestId), reason: text(reason), effectId: text(body.effectId) };
  const commands = waitCommands({
    ...wait,
    ...(signal !== undefined && { signal: text(signal) }),
    ...(typeof questionNumber === 'number' && { questionNumber }),
    ...(typeof process === 'string' && { process, dir }),
  });
  const details = detailLines(
    { ...wait, ...defined({ question }), ...(isObject(error) && { error: error as never }) },
    wait.requestId,
  );
  return withFindings(`waiting  for ${what}${until}${detail && `: ${detail}`}`, [
    ...details,
    ...(isPast ? [] : commands),
  ]);
}

/** The missing tools of a partly available MCP server. */
function missingTools({ missingToolIds }: JsonObject): string {
  return Array.isArray(missingToolIds) && missingToolIds.length > 0 ? ` (${missingToolIds.map(text).join(', ')})` : '';
}

/** Formats the diagnostics of the compiler with their positions. */
function findings(diagnostics: JsonValue | undefined): string[] {
  return objectsOf(diagnostics).map(
    ({ severity, code, file, line, column, message, hint }) =>
      `${text(file)}:${text(line)}:${text(column)} ${text(severity)} ${text(code)}: ${text(message)}${hint ? `; ${text(hint)}` : ''}`,
  );
}

/** Formats problems of a stage with their paths and hints. */
function problems(list: JsonValue | undefined, severity = ''): string[] {
  return objectsOf(list).map((problem) => {
    const place = problem.path ? ` (${text(problem.path)})` : '';
    return `${severity}${errorText(problem)}${place}${problem.hint ? `; ${text(problem.hint)}` : ''}`;
  });
}

const withFindings = (line: string, found: readonly string[]): string => [line, ...found].join('\n           ');

const objectsOf = (list: JsonValue | undefined): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);

function verdictText(verdict: JsonValue | undefined): string {
  if (!isObject(verdict)) return '';
  const reasons = Array.isArray(verdict.reasons) ? verdict.reasons.map(text).join('; ') : '';
  return `: ${text(verdict.outcome)}${reasons ? ` (${reasons})` : ''}`;
}

function directiveLine(body: JsonObject): string {
  const extra = isObject(body.extra) ? body.extra : {};
  const stage = extra.stage ? ` ${text(extra.stage)} → ${text(extra.runtime_id)} (${text(extra.runtime_source)})` : '';
  // Only the directive says why a run waits: for a person, for a timer, or because its process failed.
  const reason = body.directive === 'wait' && body.reason ? `: ${text(body.reason)}` : '';
  return `control  ${text(body.directive)}${stage}${reason}`;
}

function adapterEventLine(event: JsonObject): string | undefined {
  const { phase, toolId } = event;
  if (phase === 'agent.tool.output') return outputLines(text(toolId), text(event.text));
  if (phase === 'agent.tool.start') return `tool     ${text(toolId)} …`;
  if (phase === 'agent.tool.result')
    return `tool     ${text(toolId)} ${event.error ? `failed: ${errorText(event.error)}` : 'returned'}`;
  return phase === 'agent.handoff'
    ? `agent    ${text(event.adapter)} takes over${event.modelRef ? ` with ${text(event.modelRef)}` : ''}`
    : undefined;
}

/** What a tool of the workspace printed, each line with the tool. */
function outputLines(toolId: string, printed: string): string {
  const [first = '', ...more] = printed.trimEnd().split('\n');
  return withFindings(`tool     ${toolId} printed: ${first}`, more);
}
