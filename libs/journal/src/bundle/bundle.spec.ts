import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codeInBundle, processManifest, sha256Of } from '../process-code/process-code.ts';
import { memoryStream } from '../store/memory-stream.ts';
import { streamJournalStore } from '../store/stream-store.ts';
import { CREATED, draft, JournalBuilder, journals, RUN } from '../testing/journals.ts';
import { exportJournal, importJournal, readBundle } from './bundle.ts';
import { signJournal, verifySignature } from './signature.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const bundleOf = (...messages: string[]) => {
  const { entries } = new JournalBuilder().add(
    CREATED,
    ...messages.map((message) => draft('PROCESS_LOG', { message })),
  );
  return readBundle(exportJournal(RUN, entries));
};

describe('a bundle', () => {
  test('transfers any journal from one store to another', async () => {
    await fc.assert(
      fc.asyncProperty(journals, async (entries) => {
        const store = streamJournalStore(memoryStream());
        await importJournal(store, readBundle(exportJournal(RUN, entries)));
        expect((await store.load(RUN)).entries).toEqual(entries);
      }),
      { numRuns: 50 },
    );
  });

  test('is not imported into a store that has the run', async () => {
    const store = streamJournalStore(memoryStream());
    await importJournal(store, bundleOf());
    await expect(importJournal(store, bundleOf('later'))).rejects.toMatchObject({ code: 'run_exists' });
  });

  test.each([
    '',
    '{}',
    '[]',
    '{"format":"reins.journal.v1","run":{},"entries":[]}',
    '{"format":"reins.journal.v1","run":{"workspaceId":"w","runId":"r"},"entries":[1]}',
  ])('%p is not a bundle', (text) => {
    expect(() => readBundle(bytesOf(text))).toThrow(expect.objectContaining({ code: 'journal_corrupt' }));
  });

  test('with a changed journal is rejected, naming the entry', () => {
    const text = new TextDecoder().decode(exportJournal(RUN, bundleOf('one', 'two').entries));
    expect(() => readBundle(bytesOf(text.replace('"two"', '"2wo"')))).toThrow(
      /entry 3 .* hash does not match its content/,
    );
  });
});

describe('the code in a bundle', () => {
  const content = bytesOf('export const process = 1;');
  const manifest = processManifest('main.mjs', {
    'main.mjs': { sha256: sha256Of(content), format: 'module', imports: {} },
  });
  const exported = exportJournal(RUN, bundleOf().entries, {}, [
    { manifest, contents: new Map([[sha256Of(content), content]]) },
  ]);

  test('is read unchanged', () => {
    const [code] = codeInBundle(readBundle(exported).code, 'bundle');
    expect(code?.manifest).toEqual(manifest);
    expect(code?.contents.get(sha256Of(content))).toEqual(Buffer.from(content));
  });

  test.each([
    ['a changed module', Buffer.from(content).toString('base64'), 'AAAA', 'main.mjs of its code does not match'],
    ['a missing module', `"${sha256Of(content)}":`, '"other":', 'main.mjs of its code is missing'],
    ['a changed manifest', '"format":"module"', '"format":"commonjs"', 'a manifest of its code does not match'],
  ])('the error names %s', (_, part, instead, message) => {
    const text = new TextDecoder().decode(exported).replace(part, instead);
    expect(() => readBundle(bytesOf(text))).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }),
    );
  });
});

describe('a signature', () => {
  const bundle = bundleOf('one');
  const signature = signJournal(bundle, privateKey);

  test('is valid for its journal, also after a JSON round trip', () => {
    expect(verifySignature(bundle, JSON.parse(JSON.stringify(signature)), publicKey)).toEqual({ valid: true });
    expect(verifySignature(bundle, signature)).toEqual({ valid: true });
  });

  const otherKey = generateKeyPairSync('ed25519');
  test.each([
    ['another journal', bundleOf('two'), signature, undefined, /another journal/],
    ['a longer journal', bundleOf('one', 'two'), signature, undefined, /another journal/],
    ['a key that is not trusted', bundle, signJournal(bundle, otherKey.privateKey), publicKey, /another key/],
    [
      'a changed head',
      bundle,
      { ...signature, head: { ...signature.head, version: 9 } },
      undefined,
      /does not match its public key/,
    ],
    [
      'a changed key',
      bundle,
      { ...signature, publicKey: signJournal(bundle, otherKey.privateKey).publicKey },
      undefined,
      /does not match its public key/,
    ],
    ['an invalid key', bundle, { ...signature, publicKey: 'x' }, undefined, /not an Ed25519 key/],
    ['nothing', bundle, null, undefined, /not a reins\.signature/],
  ])('is invalid for %s', (_, journal, candidate, trusted, reason) => {
    expect(verifySignature(journal, candidate, trusted)).toEqual({
      valid: false,
      reason: expect.stringMatching(reason),
    });
  });

  test('requires Ed25519', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
    expect(() => signJournal(bundle, rsa.privateKey)).toThrow(/Ed25519/);
  });
});
