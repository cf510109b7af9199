import { MEMORY_LOG } from '@reins/bus';
import { isToken, type MemoryRecord, ReinsError } from '@reins/contracts';

export type RecordKind = MemoryRecord['kind'];

/** The scopes of memory, and the names of the ids that a namespace of the scope has. */
export const SCOPES = {
  user: ['user'],
  workspace: ['workspace'],
  agent: ['workspace', 'agent'],
  session: ['workspace', 'session'],
} as const;
export type Scope = keyof typeof SCOPES;

/** A parsed namespace. */
export interface Namespace {
  /** `<scope>/<id>`, or `<scope>/<workspace>/<id>`. */
  readonly name: string;
  readonly scope: Scope;
  readonly ids: readonly string[];
}

/** Kinds that only one scope has. All other kinds are in every scope. */
const OWN_KINDS: Readonly<Partial<Record<RecordKind, Scope>>> = { profile: 'user', session: 'session' };

/** @throws ReinsError `memory_namespace_invalid` */
export function parseNamespace(name: string): Namespace {
  const [scope = '', ...ids] = name.split('/');
  if (isScope(scope) && ids.length === SCOPES[scope].length && ids.every(isToken)) return { name, scope, ids };
  const forms = Object.entries(SCOPES).map(([each, parts]) => [each, ...parts.map((part) => `<${part}>`)].join('/'));
  throw new ReinsError({
    code: 'memory_namespace_invalid',
    message: `${JSON.stringify(name.slice(0, 200))} is not a namespace`,
    path: 'namespace',
    hint: `Use ${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}; ids have 1 to 64 letters, digits, "_" or "-".`,
  });
}

/** Whether a text is the name of a scope. */
export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/**
 * Checks that a namespace takes records of this kind.
 * @throws ReinsError `memory_namespace_invalid`
 */
export function checkKind({ scope, name }: Namespace, kind: string): RecordKind {
  if (!isKind(kind))
    throw new ReinsError({
      code: 'memory_namespace_invalid',
      message: `${JSON.stringify(kind.slice(0, 80))} is not a kind of record`,
      path: 'kind',
      hint: `Use ${KINDS.join(', ')}.`,
    });
  const own = OWN_KINDS[kind];
  if (own === undefined || own === scope) return kind;
  throw new ReinsError({
    code: 'memory_namespace_invalid',
    message: `${name} takes no records of the kind ${kind}`,
    path: 'kind',
    hint: `Use a namespace of the scope ${own}, or another kind.`,
  });
}

const KINDS: readonly RecordKind[] = ['fact', 'preference', 'procedure', 'episode', 'profile', 'session'];
const isKind = (text: string): text is RecordKind => (KINDS as readonly string[]).includes(text);

/** The subject of the changes of a namespace. */
export const logSubject = ({ scope, ids }: Namespace): string => [MEMORY_LOG, scope, ...ids].join('.');
