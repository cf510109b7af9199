import type { CallToolResult, Client, ContentBlock, GetPromptResult, Tool } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '@reins/contracts';

/** The most prompts that one call lists. */
const MAX_PROMPTS = 200;
const MAX_DESCRIPTION = 300;
const READ_ONLY = { readOnlyHint: true } as const;

const LIST: Tool = {
  name: 'list_prompts',
  description: 'Lists the prompts of this server: instructions for a task, with the names of their arguments.',
  inputSchema: { type: 'object', properties: {} },
  annotations: READ_ONLY,
};

const GET: Tool = {
  name: 'get_prompt',
  description: 'Returns the messages of a prompt of this server. Follow them if the user asks for the prompt.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, description: 'The name of the prompt.' },
      arguments: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'The values of its arguments.',
      },
    },
    required: ['name'],
  },
  annotations: READ_ONLY,
};

/** The tools by which executors get the prompts of a server. */
export const PROMPT_TOOLS: readonly Tool[] = [LIST, GET];

type Options = Parameters<Client['getPrompt']>[1];

/** Calls one of the tools. @throws the error of the client */
export async function callPromptTool(
  client: Pick<Client, 'listPrompts' | 'getPrompt'>,
  name: string,
  args: JsonObject,
  options: Options,
): Promise<CallToolResult> {
  if (name === GET.name) return contentOf(await client.getPrompt(promptOf(args), options));
  const { prompts } = await client.listPrompts(undefined, options);
  const listed = {
    prompts: prompts.slice(0, MAX_PROMPTS).map(({ name, title, description, arguments: all = [] }) => ({
      ...{ name, title, description: description?.slice(0, MAX_DESCRIPTION) },
      arguments: all.map((each) => ({ ...each, description: each.description?.slice(0, MAX_DESCRIPTION) })),
    })),
    ...(prompts.length > MAX_PROMPTS && { omitted: prompts.length - MAX_PROMPTS }),
  };
  return { content: [{ type: 'text', text: JSON.stringify(listed) }] };
}

function promptOf({ name, arguments: values }: JsonObject) {
  const given = isObject(values) ? Object.entries(values).map(([key, value]) => [key, String(value)]) : [];
  return { name: String(name), arguments: Object.fromEntries(given) as Record<string, string> };
}

/** The messages as parts of a result. A text names its role. The gateway limits them. */
const contentOf = ({ messages }: GetPromptResult): CallToolResult => ({
  content: messages.map(
    ({ role, content: part }): ContentBlock =>
      part.type === 'text' ? { type: 'text', text: `${role}: ${part.text}` } : part,
  ),
});
