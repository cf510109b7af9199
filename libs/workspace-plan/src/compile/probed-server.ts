/** What a server or application of a workspace offered when it was started. */
export interface ProbedServer {
  readonly server_id: string;
  /** The names of all tools that it offered. */
  readonly tools: readonly string[];
  /** Why it did not start. */
  readonly problem?: { readonly message: string; readonly hint?: string };
  /** Tools of the catalog that could not be loaded. */
  readonly failed_tools?: readonly { readonly tool_id: string; readonly reason: string }[];
}
