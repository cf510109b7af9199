import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BlobRef, JsonObject, JsonValue } from '@reins/contracts';
import { ReinsError } from '@reins/contracts';
import {
  bundleHead,
  codeInBundle,
  type Entry,
  hasCodeHash,
  importJournal,
  type JournalBundle,
  type ProcessCode,
  readBundle,
  recordedCode,
  refOf,
  signJournal,
  verifySignature,
} from '@reins/journal';
import { RunBlobs } from '@reins/run-directory';
import { unreadable, wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { assertOwnProcess } from './imported-process.ts';
import { keptCodeOf } from './keep-code.ts';
import { assertNew, createUnderLock, newRunDirectory, type RunsFlags, rootOf } from './locate.ts';
import { openRunBackend } from './open-run-backend.ts';
import { printOutcome } from './outcome.ts';
import { fileOption, jsonFileOption } from './values.ts';

export interface ExportFlags extends RunsFlags {
  readonly output?: string;
}

/** `reins journal export` */
export async function exportCommand(context: CliContext, argument: string, flags: ExportFlags): Promise<ExitCode> {
  const { run, entries, bytes } = await (await openRunBackend(context, argument, flags)).bundle();
  const output = resolve(flags.output ?? `${run.runId}.journal.json`);
  writeFileSync(output, bytes);
  const answer = { runId: run.runId, bundle: output, bytes: bytes.length, ...headOf(readBundle(bytes)) };
  return printOutcome(context, { answer, line: `exported ${run.runId} to ${output} (entries: ${entries.length})` });
}

export interface ImportFlags extends RunsFlags {
  /** Whether a module of this machine may be the process although the journal recorded other code. */
  readonly useLocalCode?: boolean;
}

/** `reins journal import` */
export async function importCommand(context: CliContext, file: string, flags: ImportFlags): Promise<ExitCode> {
  const bundle = bundleIn(file);
  const handle = { ...newRunDirectory(rootOf(context, flags), bundle.run.runId), run: bundle.run };
  const { store, directory } = handle;
  const blobs = new RunBlobs(store.pathsOf(bundle.run));
  const { values, missing } = valuesIn(bundle);
  const code = codeIn(bundle, file);
  if (!flags.useLocalCode) await assertOwnProcess(directory, bundle.run, bundle.entries);
  await createUnderLock(handle, 'journal import', async () => {
    await assertNew(handle, 'Import the bundle into another folder with --runs-dir: a run keeps its id.');
    for (const value of values) await blobs.put(value);
    for (const [codeHash, one] of code) await keptCodeOf(handle).put(codeHash, one);
    await importJournal(store, bundle);
  });
  const warnings = [...missing.map(lostRequest), ...lostCode(bundle, code), ...granted(bundle)];
  for (const warning of warnings) context.note(warning);
  const answer = { runId: bundle.run.runId, runDir: directory, ...headOf(bundle), warnings };
  return printOutcome(context, {
    answer,
    line: `imported ${bundle.run.runId} into ${directory} (entries: ${bundle.entries.length})`,
  });
}

export interface SignFlags {
  readonly key?: string;
  readonly output?: string;
}

/** `reins journal sign` */
export async function signCommand(context: CliContext, file: string, flags: SignFlags): Promise<ExitCode> {
  if (flags.key === undefined)
    throw wrongUsage('--key <file> is missing', 'Create a private key with `openssl genpkey -algorithm ed25519`.');
  const key = ed25519(() => createPrivateKey(fileOption(flags.key as string, '--key')), '--key');
  const bundle = bundleIn(file);
  const signature = signJournal(bundle, key);
  const output = resolve(flags.output ?? `${file}.sig`);
  writeFileSync(output, `${JSON.stringify(signature, null, 2)}\n`);
  const answer = { runId: bundle.run.runId, signature: output, ...headOf(bundle), publicKey: signature.publicKey };
  return printOutcome(context, {
    answer,
    line: `signed the head of ${bundle.run.runId} (${bundleHead(bundle).hash}); wrote ${output}`,
  });
}

export interface VerifyFlags {
  readonly signature?: string;
  readonly publicKey?: string;
}

/** `reins journal verify-signature`: returns 1 for an invalid signature. */
export async function verifyCommand(context: CliContext, file: string, flags: VerifyFlags): Promise<ExitCode> {
  const { publicKey } = flags;
  const trusted =
    publicKey === undefined
      ? undefined
      : ed25519(() => createPublicKey(fileOption(publicKey, '--public-key')), '--public-key');
  const bundle = bundleIn(file);
  const verdict = verifySignature(bundle, jsonFileOption(flags.signature ?? `${file}.sig`, '--signature'), trusted);
  const answer = { runId: bundle.run.runId, ...verdict, trusted: trusted !== undefined, ...headOf(bundle) };
  if (context.json) printJson(context, answer);
  else if (!verdict.valid) context.note(`not valid: ${verdict.reason}`);
  else
    context.out(
      trusted ? 'valid\n' : 'valid for the key in the signature; pass --public-key to check whose key it is\n',
    );
  return verdict.valid ? EXIT.ok : EXIT.failed;
}

function bundleIn(file: string): JournalBundle {
  try {
    return readBundle(readFileSync(file), file);
  } catch (error) {
    if (error instanceof ReinsError) throw error;
    throw unreadable(file, error);
  }
}

/** Reads an Ed25519 key. @throws ReinsError `wrong_usage`, without any part of the key */
function ed25519(read: () => KeyObject, option: string): KeyObject {
  const wrong = wrongUsage(`${option} must be an Ed25519 key in PEM`);
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    throw error instanceof ReinsError ? error : wrong;
  }
  if (key.asymmetricKeyType !== 'ed25519') throw wrong;
  return key;
}

/**
 * Returns the large values of a bundle, and the entries whose request is missing. Early bundles had no requests, and a replay compares only
 * their hashes; such a bundle cannot be distinguished from a truncated one.
 * @throws ReinsError `journal_corrupt` when a value that a replay needs is missing
 */
function valuesIn({ entries, values }: JournalBundle) {
  const found: JsonValue[] = [];
  const missing: Entry<'EFFECT_REQUESTED'>[] = [];
  for (const entry of entries) {
    const ref = refOf(entry);
    if (!ref) continue;
    const value = values?.[ref.sha256];
    if (value !== undefined) found.push(value);
    else if (isRequest(entry)) missing.push(entry);
    else throw lacksValue(ref);
  }
  return { values: found, missing };
}

/** The code of a bundle, by the hashes in its journal. @throws ReinsError `journal_corrupt` */
function codeIn({ entries, code }: JournalBundle, file: string): ReadonlyMap<string, ProcessCode> {
  const all = codeInBundle(code, file);
  return new Map(
    recordedCode(entries).flatMap(({ codeHash }): [string, ProcessCode][] => {
      const found = all.find(({ manifest }) => hasCodeHash(manifest, codeHash));
      return found ? [[codeHash, found]] : [];
    }),
  );
}

/** A bundle of a run that keeps its code should have all of it. The processes of Reins itself have none. */
function lostCode({ entries }: JournalBundle, code: ReadonlyMap<string, ProcessCode>): string[] {
  return recordedCode(entries)
    .filter(({ id, codeHash }) => isModule(id) && !code.has(codeHash))
    .map(
      ({ id }) =>
        `the bundle lacks the code of ${id}: to continue or replay the run, restore the module at that path, relative to the run directory`,
    );
}

/** Permissions that the creator of the run granted, and the importer has not. */
function granted({ entries: [first] }: JournalBundle): string[] {
  const isNonInteractive = first?.type === 'RUN_CREATED' && first.data.metadata?.nonInteractive === true;
  return isNonInteractive ? ['the run is not interactive: run:iterate approves each of its breakpoints'] : [];
}

/** Whether a process id names a module, `<path>#<export>`. */
const isModule = (id: string): boolean => /\.[cm]?[jt]s(?:#|$)/.test(id);

const isRequest = (entry: Entry): entry is Entry<'EFFECT_REQUESTED'> => entry.type === 'EFFECT_REQUESTED';

const lacksValue = ({ sha256 }: BlobRef): ReinsError =>
  new ReinsError({
    code: 'journal_corrupt',
    message: `the bundle lacks the value ${sha256}`,
    path: 'bundle',
    hint: 'Export the bundle again from its run.',
  });

const lostRequest = ({ version, data }: Entry<'EFFECT_REQUESTED'>): string =>
  `the bundle lacks the request of ${data.effectId} (entry ${version}, value ${data.requestRef?.sha256}); it can be replayed, but not shown`;

function headOf(bundle: JournalBundle): JsonObject {
  const { version, hash } = bundleHead(bundle);
  return { entries: version, headHash: hash };
}
