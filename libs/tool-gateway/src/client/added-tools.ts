import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import type { JsonObject } from '@reins/contracts';
import { callPromptTool, PROMPT_TOOLS } from './prompts.ts';
import { callResourceTool, RESOURCE_TOOLS } from './resources.ts';

type Options = Parameters<Client['readResource']>[1];

/** The names of all tools that a server may get in addition to its own. */
export const ADDED_TOOL_NAMES: readonly string[] = [...RESOURCE_TOOLS, ...PROMPT_TOOLS].map(({ name }) => name);

/**
 * The tools for what a server offers in addition to its tools: its resources and prompts. Tools of the server with such
 * a name take precedence.
 */
export function addedTools(client: Client, own: readonly Tool[]): readonly Tool[] {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  const all = [...(resources ? RESOURCE_TOOLS : []), ...(prompts ? PROMPT_TOOLS : [])];
  return all.filter(({ name }) => own.every((tool) => tool.name !== name));
}

/** Calls one of these tools. @throws the error of the client */
export const callAddedTool = (
  client: Client,
  name: string,
  args: JsonObject,
  options: Options,
): Promise<CallToolResult> =>
  RESOURCE_TOOLS.some((tool) => tool.name === name)
    ? callResourceTool(client, name, args, options)
    : callPromptTool(client, name, args, options);
