import type { ToolPolicy } from './definitions.ts';

/** The annotations of a tool from its MCP server. */
export interface McpToolAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
}

const READING_VERBS = new Set(
  (
    'get list read search find fetch lookup look query describe show view check count status inspect resolve browse ' +
    'explain help preview validate diff compare echo'
  ).split(' '),
);

/**
 * The policy of an MCP tool. The annotations of its server take precedence. Otherwise a name that starts with a reading
 * verb means `inspect`, and any other name means `mutate`. The name of the server is ignored.
 */
export function mcpToolPolicy(toolName: string, annotations?: McpToolAnnotations): ToolPolicy {
  if (annotations?.readOnlyHint === true) return 'inspect';
  if (annotations?.readOnlyHint === false || annotations?.destructiveHint === true) return 'mutate';
  return READING_VERBS.has(words(toolName)[0] ?? '') ? 'inspect' : 'mutate';
}

/** The words of a name in snake, kebab or camel case. */
function words(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
