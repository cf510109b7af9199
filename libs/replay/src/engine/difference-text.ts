import { canonicalJson, type JsonObject, type JsonValue } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';
import { foreignArguments, isForeign } from './foreign-match.ts';

type Decision = Pick<EntryDraft, 'type' | 'data'>;

/** In words: what the journal has, what the process decided there (undefined: nothing), and what of both is not the same. */
export function differenceText(
  expected: Pick<Entry, 'type' | 'data'> & { readonly version?: number },
  actual: EntryDraft | undefined,
): string {
  const place = expected.version === undefined ? '' : ` (entry ${expected.version})`;
  const isSameKind = actual?.type === expected.type;
  const [had, does] = [expected, actual].map((one) => (one && !isSameKind ? toldValue(one) : ''));
  const decided = actual
    ? `${isRequest(actual) ? 'asked for' : 'came to'} ${named(actual)}${does}`
    : 'asked for nothing';
  return `the journal has ${named(expected)}${place}${had}; the process ${decided}${changed(expected, actual)}`;
}

const isRequest = (decision: Decision): decision is EntryDraft<'EFFECT_REQUESTED'> =>
  decision.type === 'EFFECT_REQUESTED';

function named(decision: Decision): string {
  return isRequest(decision) ? `${decision.data.kind} ${decision.data.key}` : decision.type;
}

/** What an end says. */
function toldValue(decision: Decision): string {
  const parts = Object.values(partsOf(decision as EntryDraft)).filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `: ${parts.map(shortened).join(', ')}`;
}

/** Where two decisions of one type part: the arguments of one call, or what an end or a new start says. */
function changed(expected: Decision, actual: Decision | undefined): string {
  if (actual?.type !== expected.type) return '';
  if (isRequest(expected) && isRequest(actual)) return changedArguments(expected, actual);
  const mine = partsOf(actual as EntryDraft);
  for (const [name, recorded] of Object.entries(partsOf(expected as EntryDraft))) {
    const told =
      canonicalJson(recorded ?? null) !== canonicalJson(mine[name] ?? null) && difference(recorded, mine[name]);
    if (told) return ` with another ${name}${told}`;
  }
  return ' with another value';
}

/** Of ends and new starts, by the names by which people know them; what is not in the journal itself is left out. */
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
  if (expected.data.requestRef) return ' with other arguments';
  const told = difference(...both);
  return told === undefined ? '' : ` with other arguments${told}`;
}

type Requested = EntryDraft<'EFFECT_REQUESTED'>['data'];

function argumentsOfOneCall(recorded: Requested, mine: Requested): ReturnType<typeof foreignArguments> {
  if (isForeign({ type: 'EFFECT_REQUESTED', data: recorded })) return foreignArguments(recorded, mine);
  return recorded.effectId === mine.effectId ? [recorded.request, mine.request] : undefined;
}

/** The place at which two values first differ, and what they are there; undefined when they do not. */
function difference(recorded: JsonValue | undefined, mine: JsonValue | undefined): string | undefined {
  const found = firstDifference(recorded, mine, '');
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

/** So much of a value is shown. */
const SHOWN = 80;

function shortened(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
