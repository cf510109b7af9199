import type { TurnRequestSnapshot } from '@reins/runtime-config';
import { shortened } from '../output/table.ts';
import type { StartedStage } from './started-stages.ts';

const MAX_LISTED = 30;
const MAX_LINE = 160;

type Request = TurnRequestSnapshot['harness_request'];

/**
 * What was sent to a harness, in at most 30 lines: the model, the sizes of the texts, the tools, and the files. Fields
 * that an earlier version did not record are left out.
 * @param started what its executor got: some prepared tools have no server, and others are known only when it starts
 */
export function summaryLines(
  { harness_request: sent, contexts = [] }: Partial<TurnRequestSnapshot>,
  started?: StartedStage,
): string[] {
  const request: Partial<Request> = sent ?? {};
  const rows = [...modelRows(request), ...textRows(request), ...toolRows(request, started), ...fileRows(request)];
  const used = contexts.filter(({ tokens }) => tokens > 0).map(({ id, tokens }) => `${id} (${tokens} tokens)`);
  const all = [...rows, ['contexts', listed(used)], ['limit', secondsText(request.timeout_seconds)]] as const;
  return all.flatMap(([name, value]) => (value ? [`${name.padEnd(WIDTH)} ${value}`] : []));
}

const WIDTH = 16;

type Rows = readonly (readonly [string, string | undefined])[];

const modelRows = ({
  runtime_id,
  provider_id,
  model_id,
  thinking_value,
  harness_session_id,
}: Partial<Request>): Rows => [
  ['runtime', runtime_id],
  ['model', model_id ? `${provider_id ? `${provider_id}/` : ''}${model_id}` : undefined],
  ['thinking', thinking_value ?? undefined],
  ['continues', harness_session_id ? `session ${harness_session_id}` : undefined],
];

const textRows = ({ instruction, system_prompt, context_messages = [], output_format }: Partial<Request>): Rows => [
  ['instruction', instruction && `${sizeText(instruction)}: ${lastLine(instruction)}`],
  ['system prompt', system_prompt && sizeText(system_prompt)],
  ['context', context_messages.length > 0 ? context_messages.map(sizeText).join(', ') : undefined],
  ['output format', output_format ? 'a schema' : undefined],
];

const toolRows = (request: Partial<Request>, started: StartedStage | undefined): Rows => [
  ...(started
    ? ([
        ['tools', listed(started.tools)],
        ['unavailable', started.unavailable.map(({ serverId, reason }) => `${serverId} (${reason})`).join('; ')],
      ] as const)
    : ([['tools', preparedTools(request)]] as const)),
  ['gated tools', listed(request.gated_tools)],
  ['MCP servers', listed(request.mcp_servers?.map(({ name }) => name))],
  ['applications', listed(request.applications?.map(({ app_id }) => app_id))],
  ['skills', listed(request.skills?.map(({ id }) => id))],
];

/** The executor has not started, so it is not known yet which of them the model is offered. */
const preparedTools = ({ tools = {} }: Partial<Request>): string | undefined => {
  const names = listed(Object.keys(tools));
  return names && `${names} (prepared; no executor has started)`;
};

const fileRows = ({ input_tree, attachments = [], artifact_globs }: Partial<Request>): Rows => [
  ['files', input_tree ? `tree ${input_tree.slice(0, 12)}` : undefined],
  ['attachments', attachments.length > 0 ? String(attachments.length) : undefined],
  ['artifacts', listed(artifact_globs)],
];

const sizeText = (text: string): string => `${text.length} characters`;

/** The last line of an instruction: the first lines name the stage and the iteration. */
const lastLine = (text: string): string => shortened(text.trim().split('\n').at(-1) ?? '', MAX_LINE);

const secondsText = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : `${seconds} s`;

function listed(names: readonly string[] = []): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  return `${names.slice(0, MAX_LISTED).join(', ')}${more}`;
}
