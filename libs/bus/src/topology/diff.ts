/** A part of the NATS topology that is, or was, not as declared. */
export interface TopologyChange {
  readonly kind: 'stream' | 'consumer' | 'bucket' | 'object-store';
  readonly name: string;
  /** `conflict`: it differs in something that the server never changes on what exists. */
  readonly action: 'create' | 'update' | 'conflict';
  /** What differs, one line each: `max_age: 0 → 86400000000000`. */
  readonly details: readonly string[];
}

/** What the server fixes when a stream is made. */
const FIXED = new Set(['name', 'retention', 'storage', 'durable_name', 'ack_policy']);
/** What matters only at the moment in which it is made. */
const AT_CREATION = new Set(['deliver_policy']);

/**
 * The declared fields in which what exists differs. Fields that are not declared are the server's and the operator's
 * business.
 */
export function differences(declared: object, actual: object): { details: string[]; fixed: boolean } {
  const details: string[] = [];
  let fixed = false;
  const existing = actual as Record<string, unknown>;
  for (const [field, wanted] of Object.entries(declared)) {
    if (wanted === undefined || AT_CREATION.has(field) || sameValue(wanted, existing[field])) continue;
    details.push(`${field}: ${show(existing[field])} → ${show(wanted)}`);
    fixed ||= FIXED.has(field);
  }
  return { details, fixed };
}

function sameValue(wanted: unknown, actual: unknown): boolean {
  // The server leaves out what is false, zero or empty.
  if (actual === undefined || actual === null) return wanted === false || wanted === 0 || wanted === '';
  if (Array.isArray(wanted) && Array.isArray(actual))
    return canonical([...wanted].sort()) === canonical([...actual].sort());
  if (typeof wanted === 'object' && wanted !== null && typeof actual === 'object') {
    return Object.entries(wanted).every(([key, value]) => sameValue(value, (actual as Record<string, unknown>)[key]));
  }
  return wanted === actual;
}

const canonical = (value: unknown): string => JSON.stringify(value);
const show = (value: unknown): string => (value === undefined ? 'not set' : JSON.stringify(value));

const SIGN = { create: '+', update: '~', conflict: '!' } as const;

/** For people: one line for each change, its details indented below. */
export function formatChanges(changes: readonly TopologyChange[]): string {
  if (changes.length === 0) return 'nothing to change';
  return changes
    .flatMap(({ action, kind, name, details }) => [
      `${SIGN[action]} ${kind} ${name}`,
      ...(action === 'create' ? [] : details.map((detail) => `    ${detail}`)),
    ])
    .join('\n');
}
