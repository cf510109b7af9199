import { type AnyEvent, isObject, type JsonValue, type Stage, waitCommands } from '@reins/contracts';
import type { NarrationProvider } from './provider.ts';

type Sentences = { readonly [T in AnyEvent['type']]?: (body: Extract<AnyEvent, { type: T }>) => string | undefined };

/** What a runtime does in a stage. A stage without a text has the default of `doing`. */
const DOING: Readonly<Partial<Record<Stage, string>>> = {
  interview: 'clarifies the request',
  execute: 'does the work',
  evaluate: 'evaluates the result',
  reflect: 'reflects on improvements',
};

const doing = (stage: Stage): string => DOING[stage] ?? `runs the stage ${stage}`;

/** Sentence for each fact. */
const FACTS: Sentences = {
  'runtime.plan.compiled': () => 'The workspace was compiled.',
  'runtime.stage.claimed': ({ stage }) => `The stage ${stage} is being prepared.`,
  'runtime.stage.started': ({ stage, runtimeId }) => `${runtimeId} ${doing(stage)}.`,
  'runtime.stage.progress': ({ stage, label }) =>
    isOfModelCall(label) ? `The stage ${stage} ${sentence(label)}` : undefined,
  'runtime.stage.completed': ({ stage, verdict }) =>
    verdict
      ? `The result was evaluated: ${verdict.outcome === 'pass' ? 'it passed' : `it did not pass${because(verdict.reasons)}`}.`
      : `The stage ${stage} is done.`,
  'runtime.stage.failed': ({ stage, error }) => `The stage ${stage} failed: ${error.message}.`,
  'runtime.stage.cancelled': ({ stage }) => `The stage ${stage} was cancelled.`,
  'runtime.request.waiting': waits,
  'runtime.request.resumed': () => 'The run continues.',
  'runtime.artifact.created': ({ artifact }) => `A file was created: ${artifact.path}.`,
  'runtime.mcp.server.unavailable': ({ serverId }) =>
    `The MCP server ${serverId} is unavailable; the run continues without it.`,
  'runtime.tool.denied': ({ toolId, reason }) => `The tool ${toolId} was denied: ${reason}.`,
  'runtime.request.completed': () => 'The run is completed.',
  'runtime.request.failed': ({ error }) => `The run failed: ${error.message}.`,
  'runtime.request.cancelled': () => 'The run was cancelled.',
  'runtime.budget.exceeded': ({ budget }) => `The budget ${budget} is exceeded.`,
};

/** Whether a progress is that of a running stage, not of its preparation: a model call has no response, or has one again. */
const isOfModelCall = (label: string): boolean => /^(?:waits for a|continues: the) model call/.test(label);

const because = (reasons: readonly string[]): string => (reasons.length > 0 ? `: ${reasons.join('; ')}` : '');

/** What the run waits for, and the command that ends the wait. */
function waits(body: Extract<AnyEvent, { type: 'runtime.request.waiting' }>): string {
  const { reason, message } = body;
  const what = message === undefined ? `The run waits (${reason}).` : `The run waits (${reason}): ${sentence(message)}`;
  const [command] = waitCommands(body);
  return command === undefined ? what : `${what} Continue with: ${command}`;
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** The built-in provider: a sentence for each event of interest. Style `concise` omits tools. */
export const template: NarrationProvider = {
  narrate({ body }, { style }) {
    if (body.type === 'runtime.adapter.event') {
      const message = style === 'concise' ? undefined : toolSentence(body.event);
      return message === undefined ? undefined : { message };
    }
    const message = (FACTS[body.type] as ((fact: AnyEvent) => string | undefined) | undefined)?.(body);
    return message === undefined ? undefined : { message };
  },
};

function toolSentence(event: JsonValue | object): string | undefined {
  if (!isObject(event)) return undefined;
  if (event.phase === 'agent.tool.start') return `The tool ${String(event.toolId)} is used.`;
  if (event.phase === 'agent.tool.result' && isObject(event.error)) return `The tool ${String(event.toolId)} failed.`;
  return undefined;
}
