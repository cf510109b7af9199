import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';

/** The types of tools that the client runs. A provider runs every other type: search, code, remote MCP servers. */
const CLIENT_TYPE = /^(?:function|custom|local_shell|apply_patch|(?:bash|text_editor|computer|memory)_\d{8})$/;
/** Fields that add tools of the provider without listing them in `tools`. */
const FIELDS = ['web_search_options', 'mcp_servers', 'plugins'];
/** The key of Google's tools that the client runs. */
const GOOGLE_FUNCTIONS = new Set(['functionDeclarations', 'function_declarations']);
const SHOWN = 5;

/**
 * Lists the tools in the body of a model call that the provider would run, and the calling client would not see. A run
 * has only the tools of its capability surface, and these are not part of it.
 */
export function providerSideTools(api: ModelEndpoint['api'], body: JsonObject): string[] {
  const fields = FIELDS.filter((field) => isSet(body[field]));
  return [...fields, ...[body.tools, ...addedTools(body.input)].flatMap((tools) => listed(api, tools))].slice(0, SHOWN);
}

/** The tools that items of a conversation add, such as the results of a search for tools (Responses). */
const addedTools = (input: JsonValue | undefined): (JsonValue | undefined)[] =>
  Array.isArray(input) ? input.map((item) => (isObject(item) ? item.tools : undefined)) : [];

function listed(api: ModelEndpoint['api'], tools: JsonValue | undefined): string[] {
  if (!isSet(tools)) return [];
  if (!Array.isArray(tools)) return ['(invalid tools)'];
  return tools.flatMap((tool) => {
    if (!isObject(tool)) return ['(invalid tool)'];
    // The compatible API of Google has tools of OpenAI's form.
    const isGoogle = api === 'google-generative-ai' && !(tool.type === 'function' && isOfOpenai(tool));
    return isGoogle ? ofGoogle(tool) : ofOthers(tool);
  });
}

const OPENAI_FUNCTION = new Set(['type', 'function']);
const isOfOpenai = (tool: Tool): boolean => Object.keys(tool).every((key) => OPENAI_FUNCTION.has(key));

/** Google's tools have one key for each kind of tool. */
const ofGoogle = (tool: Tool): string[] =>
  Object.keys(tool)
    .filter((key) => !GOOGLE_FUNCTIONS.has(key))
    .map((key) => key.slice(0, 80));

function ofOthers(tool: Tool, isNested = false): string[] {
  // A group of tools of one MCP server of the client. OpenAI has no groups in groups.
  if (tool.type === 'namespace' && !isNested && Array.isArray(tool.tools))
    return tool.tools.flatMap((one) => (isObject(one) ? ofOthers(one, true) : ['(invalid tool)']));
  if (typeof tool.type === 'string') return CLIENT_TYPE.test(tool.type) ? [] : [tool.type.slice(0, 80)];
  // Anthropic's client tools have no type, but an input schema.
  return tool.input_schema !== undefined ? [] : ['(tool without a type)'];
}

type Tool = Readonly<Record<string, JsonValue | undefined>>;

const isSet = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
