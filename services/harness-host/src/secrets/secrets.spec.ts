import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { ProviderSettings } from '@reins/service-kit';
import { tempDir } from '@reins/testing';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../testing/host-fixture.ts';
import { HostSecrets } from './host-secrets.ts';
import { Redactor } from './redactor.ts';

describe('HostSecrets', () => {
  const providers: Record<string, ProviderSettings> = {
    keyed: { api: 'openai-completions', baseUrl: 'http://x', apiKey: 'sk-setting' },
    named: { api: 'openai-completions', baseUrl: 'http://x', apiKeyEnv: 'NAMED_KEY' },
    open: { api: 'openai-completions', baseUrl: 'http://x' },
  };
  const host = { ...DEFAULT_SETTINGS.host, secrets: ['GIT_TOKEN', 'EMPTY'] };
  const secrets = new HostSecrets(
    { host, providers },
    { NAMED_KEY: 'sk-variable', GIT_TOKEN: 'gh', EMPTY: '', OTHER: 'not ours' },
  );

  test('returns only the variables that the settings list, and keys of providers only for the model', () => {
    const names = ['GIT_TOKEN', 'NAMED_KEY', 'OTHER', 'EMPTY', '__proto__'];
    expect(names.map(secrets.environment)).toEqual(['gh', undefined, undefined, undefined, undefined]);
    expect(names.map(secrets.modelEnvironment)).toEqual(['gh', 'sk-variable', undefined, undefined, undefined]);
  });

  test('returns the variables in headers of providers only for the model', () => {
    const headers = { 'x-key': 'k {env:HEADER_KEY}' };
    const mine = { mine: { api: 'openai-completions' as const, baseUrl: 'http://x', headers } };
    const own = new HostSecrets({ host, providers: mine }, { HEADER_KEY: 'sk-header' });
    expect([own.environment('HEADER_KEY'), own.modelEnvironment('HEADER_KEY')]).toEqual([undefined, 'sk-header']);
    expect(own.values).toContain('sk-header');
  });

  test('returns only the settings that are provider keys', () => {
    const paths = ['providers.keyed.apiKey', 'providers.open.apiKey', 'providers.keyed.baseUrl', 'nats.password'];
    expect(paths.map(secrets.setting)).toEqual(['sk-setting', undefined, undefined, undefined]);
  });

  test('reads the key of a provider from its file at each use, and knows all keys that it has read', async () => {
    const file = join(await tempDir('key-file'), 'key');
    const inFile: ProviderSettings = {
      api: 'openai-completions',
      baseUrl: 'http://x',
      apiKey: 'sk-unused',
      apiKeyFile: file,
    };
    const own = new HostSecrets({ host, providers: { inFile } }, {});
    const read = () => [own.setting('providers.inFile.apiKeyFile'), own.keyOf('inFile', inFile)];
    expect(read()).toEqual([undefined, '']);
    await writeFile(file, 'sk-first\n');
    expect(read()).toEqual(['sk-first', 'sk-first']);
    await writeFile(file, 'sk-second');
    expect(own.values).toEqual(expect.arrayContaining(['sk-first', 'sk-second']));
    expect(read()).toEqual(['sk-second', 'sk-second']);
    expect(own.setting('providers.other.apiKeyFile')).toBeUndefined();
  });

  test('does not read a pipe, a folder or a large file as a key', async () => {
    const dir = await tempDir('no-key-file');
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const large = join(dir, 'large');
    await writeFile(large, 'k'.repeat(64 * 1024 + 1));
    for (const apiKeyFile of [pipe, dir, large]) {
      const provider: ProviderSettings = { api: 'openai-completions', baseUrl: 'http://x', apiKeyFile };
      expect(new HostSecrets({ host, providers: { provider } }, {}).keyOf('provider', provider)).toBe('');
    }
  });

  test('reads the key of a provider from the environment or the settings', () => {
    expect(Object.entries(providers).map(([id, provider]) => secrets.keyOf(id, provider))).toEqual([
      'sk-setting',
      'sk-variable',
      '',
    ]);
  });
});

describe('Redactor', () => {
  const redactor = new Redactor(['hush-hush', 'päss wörd"']);

  test('redacts a secret in every place and encoding', () => {
    const value = {
      text: 'is hush-hush!',
      'hush-hush': [{ deep: encodeURIComponent('päss wörd"') }],
      json: JSON.stringify({ a: 'päss wörd"' }),
      number: 7,
    };
    const redacted = JSON.stringify(redactor.value(value));
    for (const form of ['hush-hush', 'wörd', 'w%C3%B6rd']) expect(redacted).not.toContain(form);
    expect(redacted).toContain('"number":7');
  });

  test('redacts a secret in the bytes of a file, and returns bytes without a secret unchanged', () => {
    const bytes = Buffer.concat([Buffer.from([0, 255, 128]), Buffer.from('a hush-hush and päss wörd"', 'utf8')]);
    const clean = Buffer.from(redactor.bytes(bytes));
    expect(clean.subarray(0, 3)).toEqual(bytes.subarray(0, 3));
    expect(clean.toString('utf8')).not.toMatch(/hush|wörd/);
    const plain = Buffer.from('nothing to hide, not even ünïcödé');
    expect(redactor.bytes(plain)).toBe(plain);
  });

  test('does not change anything else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('hush'));
        expect(redactor.value(value as JsonValue)).toEqual(value);
      }),
    );
  });
});
