import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BlobRef, JsonObject, JsonValue, RunAddress } from '@reins/contracts';
import { ReinsError } from '@reins/contracts';
import {
  bundleHead,
  type Entry,
  exportJournal,
  importJournal,
  type JournalBundle,
  type LargeValues,
  readBundle,
  referencedValues,
  refOf,
  signJournal,
  verifySignature,
} from '@reins/journal';
import { RunBlobs, readRun } from '@reins/journal/rundir';
import { unreadable, wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import {
  assertNew,
  findRunDirectory,
  made,
  newRunDirectory,
  type RunHandle,
  type RunsFlags,
  rootOf,
} from './locate.ts';
import { told } from './maintenance.ts';
import { fileOption, jsonFileOption } from './values.ts';

export interface ExportFlags extends RunsFlags {
  readonly output?: string;
}

/** `reins journal export` */
export async function exportCommand(context: CliContext, argument: string, flags: ExportFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  const { run, entries, bytes } = handle ? await directoryBundle(handle) : await requestBundle(context, argument);
  const output = resolve(flags.output ?? `${run.runId}.journal.json`);
  writeFileSync(output, bytes);
  const answer = { runId: run.runId, bundle: output, bytes: bytes.length, ...headOf(readBundle(bytes)) };
  return told(context, answer, `${entries.length} entries of ${run.runId} in ${output}`);
}

async function directoryBundle({ store, run }: RunHandle) {
  const { entries } = await readRun(store, run);
  return bundled({ run, entries, values: new RunBlobs(store.pathsOf(run)) });
}

async function requestBundle(context: CliContext, requestId: string) {
  const { withRequest } = await import('../requests/request-journal.ts');
  return withRequest(context, requestId, bundled);
}

async function bundled({ run, entries, values }: Recorded) {
  const beside: Record<string, JsonValue> = {};
  for (const ref of referencedValues(entries)) beside[ref.sha256] = await values.get(ref);
  return { run, entries, bytes: exportJournal(run, entries, beside) };
}

interface Recorded {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  readonly values: Pick<LargeValues, 'get'>;
}

export type ImportFlags = RunsFlags;

/** `reins journal import` */
export async function importCommand(context: CliContext, file: string, flags: ImportFlags): Promise<ExitCode> {
  const bundle = bundleIn(file);
  const handle = { ...newRunDirectory(rootOf(context, flags), bundle.run.runId), run: bundle.run };
  const { store, directory } = handle;
  const blobs = new RunBlobs(store.pathsOf(bundle.run));
  const { values, missing } = valuesIn(bundle);
  await made(handle, 'journal import', async () => {
    await assertNew(handle, 'a run keeps its id: import it into another folder with --runs-dir');
    for (const value of values) await blobs.put(value);
    await importJournal(store, bundle);
  });
  const warnings = missing.map(lostRequest);
  for (const warning of warnings) context.note(warning);
  const answer = { runId: bundle.run.runId, runDir: directory, ...headOf(bundle), warnings };
  return told(context, answer, `${bundle.entries.length} entries of ${bundle.run.runId} in ${directory}`);
}

export interface SignFlags {
  readonly key?: string;
  readonly output?: string;
}

/** `reins journal sign` */
export async function signCommand(context: CliContext, file: string, flags: SignFlags): Promise<ExitCode> {
  if (flags.key === undefined)
    throw wrongUsage('--key <file> is missing', '`openssl genpkey -algorithm ed25519` makes a private key');
  const key = ed25519(() => createPrivateKey(fileOption(flags.key as string, '--key')), '--key');
  const bundle = bundleIn(file);
  const signature = signJournal(bundle, key);
  const output = resolve(flags.output ?? `${file}.sig`);
  writeFileSync(output, `${JSON.stringify(signature, null, 2)}\n`);
  const answer = { runId: bundle.run.runId, signature: output, ...headOf(bundle), publicKey: signature.publicKey };
  return told(context, answer, `signed the end of ${bundle.run.runId} (${bundleHead(bundle).hash}) in ${output}`);
}

export interface VerifyFlags {
  readonly signature?: string;
  readonly publicKey?: string;
}

/** `reins journal verify-signature`: a check, so a signature that does not stand is a failure. */
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
  else context.out(trusted ? 'valid\n' : 'valid for the key in the signature; --public-key says whose it must be\n');
  return verdict.valid ? EXIT.ok : EXIT.failed;
}

function bundleIn(file: string): JournalBundle {
  try {
    return readBundle(readFileSync(file));
  } catch (error) {
    if (error instanceof ReinsError) throw error;
    throw unreadable(file, error);
  }
}

/** @throws ReinsError `wrong_usage`; nothing of the key is told */
function ed25519(read: () => KeyObject, option: string): KeyObject {
  const wrong = wrongUsage(`${option} has no Ed25519 key in PEM`);
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
 * What its entries have by reference, and which of them lack it: the first bundles came without requests, of which a replay compares the
 * hashes. Nothing tells such a bundle from one that was cut.
 * @throws ReinsError `journal_corrupt` when it lacks what a replay wants
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

const isRequest = (entry: Entry): entry is Entry<'EFFECT_REQUESTED'> => entry.type === 'EFFECT_REQUESTED';

const lacksValue = ({ sha256 }: BlobRef): ReinsError =>
  new ReinsError({
    code: 'journal_corrupt',
    message: `the bundle does not have the value ${sha256}`,
    path: 'bundle',
    hint: 'export it again from the run that it is of',
  });

const lostRequest = ({ version, data }: Entry<'EFFECT_REQUESTED'>): string =>
  `the bundle does not have the request of ${data.effectId} (entry ${version}, value ${data.requestRef?.sha256}): a replay goes without it, and it cannot be shown`;

function headOf(bundle: JournalBundle): JsonObject {
  const { version, hash } = bundleHead(bundle);
  return { entries: version, headHash: hash };
}
