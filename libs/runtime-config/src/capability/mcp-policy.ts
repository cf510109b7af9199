import type { ToolPolicy } from './definitions.ts';

/** What an MCP server says about one of its tools. */
export interface McpToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
}

const INSPECTING = new Set(
  (
    'get list read search find fetch lookup look query describe show view check count status inspect resolve browse ' +
    'explain help preview validate diff compare echo'
  ).split(' '),
);

/**
 * What an MCP tool does: first by what its server says of it, else by the first word of the tool's own name that is a verb of
 * looking. The server's name says nothing about its tools, and a tool of which nothing is known may change things.
 */
export function mcpToolPolicy(toolName: string, annotations?: McpToolAnnotations): ToolPolicy {
  if (annotations?.readOnlyHint === true) return 'inspect';
  if (annotations?.readOnlyHint === false || annotations?.destructiveHint === true) return 'mutate';
  return INSPECTING.has(words(toolName)[0] ?? '') ? 'inspect' : 'mutate';
}

/** The words of a name in snake, kebab or camel case. */
function words(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
