import { ReinsError } from '@reins/contracts';
import { isScope, type Namespace, parseNamespace, SCOPES, type Scope } from './namespaces.ts';

/** A person with an API key. */
export interface Operator {
  readonly type: 'operator';
}

/** A run, with the ids that it cannot choose itself. */
export interface RunActor {
  readonly type: 'run';
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** The user that it runs for. Absent: it has no access to the memory of a user. */
  readonly userId?: string;
}

/** Who reads or writes memory. */
export type Actor = Operator | RunActor;
export type Access = 'read' | 'write';

interface Rule {
  /** The ids of the namespaces that belong to a run; undefined if none does. */
  readonly own: (run: RunActor) => readonly string[] | undefined;
  /** What a run may do with the namespace that belongs to it. */
  readonly run: readonly Access[];
}

/** Operators read and write everything. A run has only the namespaces that belong to it. */
const POLICY: Readonly<Record<Scope, Rule>> = {
  user: { own: ({ userId }) => (userId === undefined ? undefined : [userId]), run: ['read', 'write'] },
  workspace: { own: ({ workspaceId }) => [workspaceId], run: ['read', 'write'] },
  agent: { own: ({ workspaceId, agentId }) => [workspaceId, agentId], run: ['read', 'write'] },
  session: { own: ({ workspaceId, sessionId }) => [workspaceId, sessionId], run: ['read', 'write'] },
};

/** Whether the policy permits an access. */
export function permits(actor: Actor, access: Access, { scope, ids }: Namespace): boolean {
  if (actor.type === 'operator') return true;
  const { own, run } = POLICY[scope];
  const owned = own(actor);
  return run.includes(access) && owned?.length === ids.length && ids.every((id, at) => id === owned[at]);
}

/**
 * The namespace of a scope that belongs to a run. A run names scopes only, so it cannot name what belongs to others.
 * @throws ReinsError `memory_access_denied` if it has none; `memory_namespace_invalid` for another name
 */
export function runNamespace(run: RunActor, scope: string): Namespace {
  if (!isScope(scope))
    throw new ReinsError({
      code: 'memory_namespace_invalid',
      message: `${JSON.stringify(scope.slice(0, 80))} is not a scope of a run`,
      path: 'namespace',
      hint: `Use ${Object.keys(SCOPES).join(', ')}.`,
    });
  const ids = POLICY[scope].own(run);
  if (ids) return parseNamespace([scope, ...ids].join('/'));
  throw new ReinsError({
    code: 'memory_access_denied',
    message: 'this run has no user whose memory it may use',
    path: 'namespace',
    hint: 'Submit the request with a key whose name is a user id, or set metadata.context.user.id.',
  });
}

/** @throws ReinsError `memory_access_denied` */
export function checkAccess(actor: Actor, access: Access, namespace: Namespace): void {
  if (permits(actor, access, namespace)) return;
  throw new ReinsError({
    code: 'memory_access_denied',
    message: `this run may not ${access} ${namespace.name}`,
    path: 'namespace',
    hint: 'Use a namespace of the workspace, agent or session of the run, or of its user.',
  });
}
