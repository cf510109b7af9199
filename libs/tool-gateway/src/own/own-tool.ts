import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import type { JsonObject } from '@reins/contracts';

/** A tool that Reins itself serves to a run. Its name is its id. */
export interface OwnTool {
  readonly declaration: Tool;
  /**
   * Executes a call with valid arguments.
   * @throws Error with a message for the model
   */
  call(args: JsonObject): Promise<CallToolResult>;
}

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
