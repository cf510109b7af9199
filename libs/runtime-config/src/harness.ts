/** What preparation needs to know about the harness that a stage goes to. */
export interface HarnessCapabilities {
  /** Whether it calls a model through the client of the request, can, or brings its own way. */
  readonly modelClient: 'required' | 'optional' | 'none';
  readonly structuredOutput: boolean;
  readonly mcpTools: boolean;
  readonly skills: boolean;
  readonly commands: boolean;
  readonly browserTools: boolean;
  readonly runtimeTools: boolean;
  /** Its own tools by the ids that the system knows; undefined where they are not known: then all are assumed. */
  readonly builtinTools?: readonly string[];
  /** Whether it can stop and ask the user. */
  readonly waitingUser: boolean;
  readonly images: boolean;
}

/** Who a session is for. */
export const SESSION_KINDS = ['workspace_session', 'onboarding', 'task_proposal', 'subagent'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** Names that the session of a person has had. */
const OTHER_NAMES: readonly string[] = ['', 'main', 'main_session'];

/** Whether a kind of session is one that is known, under any name. */
export function isSessionKind(kind: string): boolean {
  const name = kind.trim().toLowerCase();
  return SESSION_KINDS.some((known) => known === name) || OTHER_NAMES.includes(name);
}

/** The kind of a session under any of the names that it has had. */
export function normalizeSessionKind(kind: string | null | undefined): SessionKind {
  const name = kind?.trim().toLowerCase() ?? '';
  return SESSION_KINDS.find((known) => known === name) ?? 'workspace_session';
}
