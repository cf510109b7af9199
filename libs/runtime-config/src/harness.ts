/** The capabilities of the harness that runs a stage, as far as the preparation needs them. */
export interface HarnessCapabilities {
  /** Whether the harness requires the model client of the request, can use it, or has its own. */
  readonly modelClient: 'required' | 'optional' | 'none';
  readonly structuredOutput: boolean;
  readonly mcpTools: boolean;
  readonly skills: boolean;
  readonly commands: boolean;
  readonly browserTools: boolean;
  readonly runtimeTools: boolean;
  /** Ids of its own tools. When undefined, all known tools are assumed. */
  readonly builtinTools?: readonly string[];
  /** Whether its own tools can be restricted to a list. Absent: yes. */
  readonly toolSelection?: boolean;
  /** The names under which the model is offered its own tools, by id, where the two differ. */
  readonly nativeToolNames?: Readonly<Record<string, string>>;
  /** Whether it can stop and ask the user. */
  readonly waitingUser: boolean;
  readonly images: boolean;
}

/** The kinds of sessions. */
export const SESSION_KINDS = ['workspace_session', 'onboarding', 'task_proposal', 'subagent'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** Former names of `workspace_session`. */
const OTHER_NAMES: readonly string[] = ['', 'main', 'main_session'];

/** Whether a session kind is known, including former names. */
export function isSessionKind(kind: string): boolean {
  const name = kind.trim().toLowerCase();
  return SESSION_KINDS.some((known) => known === name) || OTHER_NAMES.includes(name);
}

/** Maps any name of a session kind to its current name. Unknown names become `workspace_session`. */
export function normalizeSessionKind(kind: string | null | undefined): SessionKind {
  const name = kind?.trim().toLowerCase() ?? '';
  return SESSION_KINDS.find((known) => known === name) ?? 'workspace_session';
}
