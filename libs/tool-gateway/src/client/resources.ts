import type { CallToolResult, Client, ContentBlock, ReadResourceResult, Tool } from '@modelcontextprotocol/client';
import type { JsonObject } from '@reins/contracts';

/** The most resources that one call lists. */
const MAX_RESOURCES = 200;
const MAX_DESCRIPTION = 300;
const READ_ONLY = { readOnlyHint: true } as const;

const LIST: Tool = {
  name: 'list_resources',
  description: 'Lists the resources of this server, and the templates of the URIs of further ones.',
  inputSchema: { type: 'object', properties: {} },
  annotations: READ_ONLY,
};

const READ: Tool = {
  name: 'read_resource',
  description: 'Reads a resource of this server.',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string', minLength: 1, description: 'The URI of the resource.' } },
    required: ['uri'],
  },
  annotations: READ_ONLY,
};

/** The tools by which executors get the resources of a server. */
export const RESOURCE_TOOLS: readonly Tool[] = [LIST, READ];

type Options = Parameters<Client['readResource']>[1];

/** Calls one of the tools. @throws the error of the client */
export async function callResourceTool(
  client: Pick<Client, 'listResources' | 'listResourceTemplates' | 'readResource'>,
  name: string,
  { uri }: JsonObject,
  options: Options,
): Promise<CallToolResult> {
  if (name === READ.name) return contentOf(await client.readResource({ uri: String(uri) }, options));
  const [{ resources }, templates] = await Promise.all([
    client.listResources(undefined, options),
    // A server may have resources without templates.
    client.listResourceTemplates(undefined, options).catch(() => ({ resourceTemplates: [] })),
  ]);
  const listed = {
    resources: resources
      .slice(0, MAX_RESOURCES)
      .map(({ uri, name, mimeType, size, description }) => ({ uri, name, mimeType, size, ...about(description) })),
    templates: templates.resourceTemplates
      .slice(0, MAX_RESOURCES)
      .map(({ uriTemplate, name, mimeType, description }) => ({ uriTemplate, name, mimeType, ...about(description) })),
    ...(resources.length > MAX_RESOURCES && { omitted: resources.length - MAX_RESOURCES }),
  };
  return { content: [{ type: 'text', text: JSON.stringify(listed) }] };
}

const about = (description: string | undefined): { readonly description?: string } =>
  description === undefined ? {} : { description: description.slice(0, MAX_DESCRIPTION) };

/** The parts of a resource as parts of a result. */
function contentOf({ contents }: ReadResourceResult): CallToolResult {
  const content = contents.map((part): ContentBlock => {
    if ('text' in part) return { type: 'text', text: part.text };
    const { mimeType } = part;
    if (mimeType?.startsWith('image/')) return { type: 'image', data: part.blob, mimeType };
    return { type: 'resource', resource: part };
  });
  return { content };
}
