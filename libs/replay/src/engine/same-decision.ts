import { type BlobRef, canonicalJson, type EntryData, type JsonValue } from '@reins/contracts';
import { type Entry, type EntryDraft, hashJson } from '@reins/journal';

/**
 * Whether a recorded decision equals that of the process. Error names are compared only if recorded, because older
 * journals lack them.
 */
export function isSame(entry: Entry, mine: EntryDraft): boolean {
  switch (entry.type) {
    case 'EFFECT_REQUESTED':
      return mine.type === entry.type && isSameCall(entry.data, mine.data);
    case 'PROCESS_ASSIGNED':
      return mine.type === entry.type && isValue(entry.data.inputs, mine.data.inputs, entry.data.inputsRef);
    case 'RUN_COMPLETED':
      return isOutput(entry.data, mine);
    case 'RUN_HALTED':
      return mine.type === entry.type && isSameHalt(entry.data, mine.data);
    case 'RUN_FAILED':
      return isFailure(entry.data, mine);
    default:
      return mine.type === entry.type;
  }
}

type Requested = EntryData['EFFECT_REQUESTED'];

const isSameCall = (recorded: Requested, mine: Requested): boolean =>
  recorded.effectId === mine.effectId && recorded.argsHash === mine.argsHash;

function isOutput({ output, outputRef }: EntryData['RUN_COMPLETED'], mine: EntryDraft): boolean {
  if (mine.type === 'RUN_COMPLETED') return isValue(output, mine.data.output, outputRef);
  // Older versions recorded a returned halt as an output.
  return mine.type === 'RUN_HALTED' && mine.data.payload !== undefined && isValue(output, mine.data.payload, outputRef);
}

const isSameHalt = (recorded: EntryData['RUN_HALTED'], mine: EntryData['RUN_HALTED']): boolean =>
  recorded.reason === mine.reason && isValue(recorded.payload, mine.payload);

function isFailure({ error }: EntryData['RUN_FAILED'], mine: EntryDraft): boolean {
  if (mine.type === 'RUN_FAILED') return isSameError(error, mine.data.error);
  // Older versions failed the run at once for an error of the process.
  return mine.type === 'PROCESS_RUNTIME_ERROR' && isSameError(error, mine.data.error);
}

type ErrorInfo = EntryData['RUN_FAILED']['error'];

/** A wrong call of the process: its message is written by Reins, and its wording may change with a version. */
const OWN_WORDING = 'process_invalid';

const isSameError = (recorded: ErrorInfo, mine: ErrorInfo): boolean =>
  recorded.code === mine.code &&
  (recorded.code === OWN_WORDING || recorded.message === mine.message) &&
  (recorded.name === undefined || recorded.name === mine.name);

/** A value stored by reference is compared by hash. */
const isValue = (recorded: JsonValue | undefined, mine: JsonValue | undefined, ref?: BlobRef): boolean =>
  ref ? hashJson(mine ?? null) === ref.sha256 : canonicalJson(recorded ?? null) === canonicalJson(mine ?? null);
