import { isObject, type JsonObject, type JsonValue, type Problem } from '@reins/contracts';
import { isSessionKind } from '../harness.ts';
import { contextInvalid } from './problems.ts';
import type { CurrentUser, EvolveCandidate, Loaded, PendingMemory } from './types.ts';

/** The `context` in the metadata of a request. */
export interface RequestContext {
  readonly sessionKind: string | null;
  readonly debug: boolean;
  /** Lets the run access files outside its folder. Only an explicit `true` sets it. */
  readonly boundaryOverride: boolean;
  /** The name of the API key that submitted the request, as the gateway states it. */
  readonly actor: string | null;
  readonly currentUser: Loaded<CurrentUser>;
  readonly pendingMemory: Loaded<readonly PendingMemory[]>;
  readonly evolveCandidate: Loaded<EvolveCandidate>;
  /** The JSON Schema of the output, which replaces that of the workspace. */
  readonly outputSchema: JsonObject | null;
  readonly problems: readonly Problem[];
}

const ROOT = 'metadata.context';
const KNOWN = [
  'sessionKind',
  'debug',
  'workspaceBoundaryOverride',
  'actor',
  'user',
  'pendingMemory',
  'evolveCandidate',
  'outputSchema',
] as const;
const NAME_SOURCES = ['manual', 'agent', 'auth_fallback'] as const;

/**
 * Reads `metadata.context`: {sessionKind, debug, workspaceBoundaryOverride, user {id, name, nameSource}, pendingMemory
 * [{title, summary, evidence}], evolveCandidate {id, kind, title, summary, slug, skillPath, markdown}, outputSchema}.
 * Invalid parts are skipped and reported in `problems`. An invalid context never fails a request.
 */
export function requestContext(metadata: JsonValue | undefined): RequestContext {
  const rawContext = isObject(metadata) ? metadata.context : undefined;
  const problems: Problem[] = [];
  if (rawContext !== undefined && !isObject(rawContext))
    problems.push(contextInvalid(ROOT, `${ROOT} must be an object`));
  const fields: JsonObject = isObject(rawContext) ? rawContext : {};
  for (const key of Object.keys(fields)) {
    if (!KNOWN.some((known) => known === key))
      problems.push(contextInvalid(`${ROOT}.${key}`, `unknown field ${ROOT}.${key}`));
  }
  const read = <T>(key: (typeof KNOWN)[number], parse: (value: JsonValue) => T | undefined): Loaded<T> => {
    const value = fields[key];
    if (value === undefined || value === null) return { status: 'empty' };
    const parsed = parse(value);
    if (parsed !== undefined) return { status: 'loaded', value: parsed };
    problems.push(contextInvalid(`${ROOT}.${key}`, `${ROOT}.${key} does not have the documented shape`));
    return { status: 'failed', reason: 'the value does not have the documented shape' };
  };
  const flag = (key: (typeof KNOWN)[number]): boolean => {
    const loaded = read(key, (value) => (typeof value === 'boolean' ? value : undefined));
    return loaded.status === 'loaded' && loaded.value;
  };
  const kind = read('sessionKind', (value) => (typeof value === 'string' && isSessionKind(value) ? value : undefined));
  const actor = read('actor', (value) => (typeof value === 'string' ? value : undefined));
  const outputSchema = read('outputSchema', (value) => (isObject(value) ? value : undefined));
  const boundaryOverride = flag('workspaceBoundaryOverride');
  if (boundaryOverride) problems.push(OVERRIDE_GRANTED);
  return {
    sessionKind: kind.status === 'loaded' ? kind.value : null,
    debug: flag('debug'),
    boundaryOverride,
    actor: actor.status === 'loaded' ? actor.value : null,
    currentUser: read('user', userOf),
    pendingMemory: read('pendingMemory', pendingOf),
    evolveCandidate: read('evolveCandidate', candidateOf),
    outputSchema: outputSchema.status === 'loaded' ? outputSchema.value : null,
    problems,
  };
}

/** Not an error, but the override must be visible in the log. */
const OVERRIDE_GRANTED: Problem = {
  code: 'boundary_override_granted',
  message: 'the request lets its run access files outside its folder',
  path: `${ROOT}.workspaceBoundaryOverride`,
};

function userOf(value: JsonValue): CurrentUser | undefined {
  if (!isObject(value) || typeof value.name !== 'string') return undefined;
  const source = NAME_SOURCES.find((known) => known === value.nameSource) ?? null;
  return { profile_id: text(value.id) ?? 'default', name: value.name, name_source: source };
}

function pendingOf(value: JsonValue): readonly PendingMemory[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.flatMap((entry) => {
    if (!isObject(entry) || typeof entry.title !== 'string' || typeof entry.summary !== 'string') return [];
    return [{ title: entry.title, summary: entry.summary, evidence: text(entry.evidence) }];
  });
  return entries.length === value.length ? entries : undefined;
}

function candidateOf(value: JsonValue): EvolveCandidate | undefined {
  if (!isObject(value)) return undefined;
  const { id, kind, title, summary } = value;
  if (typeof id !== 'string' || typeof kind !== 'string' || typeof title !== 'string' || typeof summary !== 'string') {
    return undefined;
  }
  const [slug, path, markdown] = [text(value.slug), text(value.skillPath), text(value.markdown)];
  return { candidate_id: id, kind, title, summary, slug, skill_path: path, markdown };
}

const text = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);
