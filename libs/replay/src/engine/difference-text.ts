import { canonicalJson, type JsonObject, type JsonValue } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';
import { foreignArguments, isForeign } from './foreign-match.ts';

type Decision = Pick<EntryDraft, 'type' | 'data'>;

/** Describes the recorded decision, the actual one (undefined: none), and how they differ. */
export function differenceText(
  expected: Pick<Entry, 'type' | 'data'> & { readonly version?: number },
  actual: EntryDraft | undefined,
): string {
  const place = expected.version === undefined ? '' : ` (entry ${expected.version})`;
  const isSameKind = actual?.type === expected.type;
  const [had, does] = [expected, actual].map((one) => (one && !isSameKind ? valuesText(one) : ''));
  const decided = actual
    ? `${isRequest(actual) ? 'requested' : 'reached'} ${named(actual)}${does}`
    : 'requested nothing';
  return `the journal has ${named(expected)}${place}${had}; the process ${decided}${changed(expected, actual)}`;
}

const isRequest = (decision: Decision): decision is EntryDraft<'EFFECT_REQUESTED'> =>
  decision.type === 'EFFECT_REQUESTED';

function named(decision: Decision): string {
  return isRequest(decision) ? `${decision.data.kind} ${decision.data.key}` : decision.type;
}

/** The values of an end. */
function valuesText(decision: Decision): string {
  const parts = Object.values(partsOf(decision as EntryDraft)).filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `: ${parts.map(shortened).join(', ')}`;
}

/**
 * Describes how two decisions of one type differ: in the arguments of a call, or in the values of an end or a restart.
 */
function changed(expected: Decision, actual: Decision | undefined): string {
  if (actual?.type !== expected.type) return '';
  if (isRequest(expected) && isRequest(actual)) return changedArguments(expected, actual);
  const produced = partsOf(actual as EntryDraft);
  for (const [name, recorded] of Object.entries(partsOf(expected as EntryDraft))) {
    const detail =
      canonicalJson(recorded ?? null) !== canonicalJson(produced[name] ?? null) && difference(recorded, produced[name]);
    if (detail) return ` with a different ${name}${detail}`;
  }
  return ' with a different value';
}

/** The compared values of ends and restarts, by display name. Leaves out values that are not in the journal itself. */
function partsOf({ type, data }: EntryDraft): Readonly<Record<string, JsonValue | undefined>> {
  switch (type) {
    case 'RUN_COMPLETED':
      return data.outputRef ? {} : { output: data.output };
    case 'RUN_HALTED':
      return { reason: data.reason, payload: data.payload };
    case 'RUN_FAILED':
    case 'PROCESS_RUNTIME_ERROR':
      return { 'error code': data.error.code, 'error message': data.error.message, 'error name': data.error.name };
    case 'PROCESS_ASSIGNED':
      return data.inputsRef ? {} : { input: data.inputs };
    default:
      return {};
  }
}

function changedArguments(expected: EntryDraft<'EFFECT_REQUESTED'>, actual: EntryDraft<'EFFECT_REQUESTED'>): string {
  const both = argumentsOfOneCall(expected.data, actual.data);
  if (!both) return '';
  if (expected.data.requestRef) return ' with different arguments';
  const detail = difference(...both);
  return detail === undefined ? '' : ` with different arguments${detail}`;
}

type Requested = EntryDraft<'EFFECT_REQUESTED'>['data'];

function argumentsOfOneCall(recorded: Requested, actual: Requested): ReturnType<typeof foreignArguments> {
  if (isForeign({ type: 'EFFECT_REQUESTED', data: recorded })) return foreignArguments(recorded, actual);
  return recorded.effectId === actual.effectId ? [recorded.request, actual.request] : undefined;
}

/** The first place at which two values differ, with both values; undefined when they are equal. */
function difference(recorded: JsonValue | undefined, actual: JsonValue | undefined): string | undefined {
  const found = firstDifference(recorded, actual, '');
  if (!found) return undefined;
  const at = found.path === '' ? '' : `, first at ${found.path.replace(/^\./, '')}`;
  return `${at} (${shortened(found.values[0])} in the journal, ${shortened(found.values[1])} now)`;
}

interface Difference {
  readonly path: string;
  readonly values: readonly [JsonValue | undefined, JsonValue | undefined];
}

function firstDifference(a: JsonValue | undefined, b: JsonValue | undefined, path: string): Difference | undefined {
  if (a === b) return undefined;
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return { path, values: [a, b] };
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const below = firstDifference(a[name], b[name], Array.isArray(a) ? `${path}[${name}]` : `${path}.${name}`);
    if (below) return below;
  }
  return undefined;
}

const isContainer = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null;

/** Longer values are cut off. */
const SHOWN = 80;

function shortened(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
