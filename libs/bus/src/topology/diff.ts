/** A difference between the declared NATS topology and the server. */
export interface TopologyChange {
  readonly kind: 'stream' | 'consumer' | 'bucket' | 'object-store';
  readonly name: string;
  /** `conflict`: it differs in a field that the server cannot change. */
  readonly action: 'create' | 'update' | 'conflict';
  /** The differences, one per line: `max_age: 0 → 86400000000000`. */
  readonly details: readonly string[];
}

/** Fields that cannot change after creation. */
const FIXED = new Set(['name', 'retention', 'storage', 'durable_name', 'ack_policy']);
/** Fields that only matter at creation. */
const AT_CREATION = new Set(['deliver_policy']);

/**
 * Compares the declared fields with the existing ones. Fields that are not declared belong to the server and the
 * operator.
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
  // The server omits fields that are false, zero or empty.
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

/** Formats changes as human-readable text: one line per change, its details indented below. */
export function formatChanges(changes: readonly TopologyChange[]): string {
  if (changes.length === 0) return 'no changes';
  return changes
    .flatMap(({ action, kind, name, details }) => [
      `${SIGN[action]} ${kind} ${name}`,
      ...(action === 'create' ? [] : details.map((detail) => `    ${detail}`)),
    ])
    .join('\n');
}
