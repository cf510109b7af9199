import { type BlobRef, canonicalJson, type EntryData, type JsonValue } from '@reins/contracts';
import { type Entry, type EntryDraft, hashJson } from '@reins/journal';

/**
 * Whether a recorded decision equals that of the process. Error names are compared only if recorded, because older
 * journals lack them.
 */
export function isSame(entry: Entry, actual: EntryDraft): boolean {
  switch (entry.type) {
    case 'EFFECT_REQUESTED':
      return actual.type === entry.type && isSameCall(entry.data, actual.data);
    case 'PROCESS_ASSIGNED':
      return actual.type === entry.type && isValue(entry.data.inputs, actual.data.inputs, entry.data.inputsRef);
    case 'RUN_COMPLETED':
      return isOutput(entry.data, actual);
    case 'RUN_HALTED':
      return actual.type === entry.type && isSameHalt(entry.data, actual.data);
    case 'RUN_FAILED':
      return isFailure(entry.data, actual);
    default:
      return actual.type === entry.type;
  }
}

type Requested = EntryData['EFFECT_REQUESTED'];

const isSameCall = (recorded: Requested, actual: Requested): boolean =>
  recorded.effectId === actual.effectId && recorded.argsHash === actual.argsHash;

function isOutput({ output, outputRef }: EntryData['RUN_COMPLETED'], actual: EntryDraft): boolean {
  if (actual.type === 'RUN_COMPLETED') return isValue(output, actual.data.output, outputRef);
  // Older versions recorded a returned halt as an output.
  return (
    actual.type === 'RUN_HALTED' && actual.data.payload !== undefined && isValue(output, actual.data.payload, outputRef)
  );
}

const isSameHalt = (recorded: EntryData['RUN_HALTED'], actual: EntryData['RUN_HALTED']): boolean =>
  recorded.reason === actual.reason && isValue(recorded.payload, actual.payload);

function isFailure({ error }: EntryData['RUN_FAILED'], actual: EntryDraft): boolean {
  if (actual.type === 'RUN_FAILED') return isSameError(error, actual.data.error);
  // Older versions failed the run immediately for an error of the process.
  return actual.type === 'PROCESS_RUNTIME_ERROR' && isSameError(error, actual.data.error);
}

type ErrorInfo = EntryData['RUN_FAILED']['error'];

/** Errors of the process whose message is written by Reins: its wording may change with a version. */
const OWN_WORDING: ReadonlySet<string> = new Set(['process_invalid', 'replay_ambient', 'pipeline_budget_spent']);

const isSameError = (recorded: ErrorInfo, actual: ErrorInfo): boolean =>
  recorded.code === actual.code &&
  (OWN_WORDING.has(recorded.code) || recorded.message === actual.message) &&
  (recorded.name === undefined || recorded.name === actual.name);

/** A value stored by reference is compared by hash. */
const isValue = (recorded: JsonValue | undefined, actual: JsonValue | undefined, ref?: BlobRef): boolean =>
  ref ? hashJson(actual ?? null) === ref.sha256 : canonicalJson(recorded ?? null) === canonicalJson(actual ?? null);
