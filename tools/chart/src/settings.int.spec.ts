import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadSettings, SERVICE_NAMES, type Settings } from '@reins/service-kit';
import { tempDir } from '@reins/testing';
import { helm, render } from './testing/helm.ts';
import { containersOf, type Manifest, type Pod, partOf, podsOf, type Variable } from './testing/manifest.ts';
import { VARIANTS } from './testing/variants.ts';

/** The values of the Secrets, as a container sees them. Telemetry headers are JSON. */
const secretOf = (name: string): string => (name.endsWith('HEADERS') ? '{"key":"secret"}' : `secret-${name}`);

/** The environment of a container. Kubernetes replaces `$(NAME)` with a variable above it. */
function environmentOf(variables: readonly Variable[]): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { name, value } of variables) {
    const text = value ?? secretOf(name);
    environment[name] = text.replaceAll(/\$\((\w+)\)/g, (_, other: string) => environment[other] ?? '');
  }
  return environment;
}

/** The settings of each Reins pod, as its process loads them, by the name of its Deployment. */
async function settingsIn(manifests: readonly Manifest[]): Promise<Map<string, Settings>> {
  const file = join(await tempDir('chart'), 'reins.yaml');
  const text = manifests.find(({ metadata }) => metadata.name === 'reins-settings')?.data?.['reins.yaml'];
  await writeFile(file, text ?? '');
  const pods = podsOf(manifests).filter(readsSettings);
  return new Map(
    pods.map((pod) => [pod.name, loadSettings(file, environmentOf(containersOf(pod)[0]?.env ?? []))] as const),
  );
}

const readsSettings = ({ labels }: Pod): boolean =>
  [...SERVICE_NAMES, 'toolbox', 'migrations'].some((name) => name === partOf(labels));

describe.each(Object.keys(VARIANTS))('%s', (name) => {
  test('every process of Reins accepts its settings', async () => {
    const settings = await settingsIn(await render(VARIANTS[name]));
    expect(settings.size).toBeGreaterThanOrEqual(SERVICE_NAMES.length);
    for (const { http } of settings.values()) expect(http.host).toBe('0.0.0.0');
  });
});

test('what the values say is what the processes load', async () => {
  const settings = await settingsIn(await render(VARIANTS['providers and pools']));
  expect(settings.get('reins-gateway')).toMatchObject({
    nats: { url: 'nats://reins-nats:4222', token: 'secret-REINS_NATS_TOKEN', partitions: 32, managed: 'self' },
    database: { url: 'secret-REINS_DATABASE_URL', poolSize: 9 },
    log: { level: 'debug' },
    limits: { stageRunForMs: 60_000 },
    providers: { my_llm: { baseUrl: 'https://llm.example.com/v1', apiKeyEnv: 'KEY' } },
    telemetry: { headers: { key: 'secret' } },
    // Every service creates the consumers of all runtimes.
    host: { runtimes: ['echo', 'pi'] },
  });
  expect(settings.get('reins-host-gpu')?.host).toMatchObject({
    runtimes: ['pi'],
    slots: 2,
    warm: 0,
    sandbox: 'required',
    network: 'allow-list',
    allow: ['registry.npmjs.org', '*.pypi.org:443'],
  });
  expect(settings.get('reins-host-small')?.host).toMatchObject({ runtimes: ['echo', 'pi'], slots: 4 });
});

test('bundled and external servers', async () => {
  const small = (await settingsIn(await render(VARIANTS.small))).get('reins-projector');
  expect(small?.database.url).toBe('postgres://reins:secret-POSTGRES_PASSWORD@reins-postgres:5432/reins');
  const production = (await settingsIn(await render(VARIANTS.production))).get('reins-control-bus');
  expect(production?.nats.replicas).toBe(3);
  const external = (await settingsIn(await render(VARIANTS['external servers with NKeys']))).get('reins-narrator');
  expect(external?.nats).toMatchObject({
    url: 'nats://a.nats:4222,nats://b.nats:4222',
    managed: 'external',
    replicas: 3,
    usersDir: '/etc/reins/nats',
  });
});

test('a key of a provider that no host would have is refused', async () => {
  const providers = { a: { api: 'openai-completions', base_url: 'http://a/v1', api_key_env: 'MISSING' } };
  const { code, errors } = await helm('template', { values: { settings: { providers } } });
  expect(code).not.toBe(0);
  expect(errors).toContain('settings.providers.a.api_key_env names MISSING, which hostSecrets does not have');
});

test('two pools of the same name are refused', async () => {
  const pool = { name: 'same', runtimes: ['pi'] };
  const { code, errors } = await helm('template', { values: { hostPools: [pool, pool] } });
  expect(code).not.toBe(0);
  expect(errors).toContain('hostPools has the name same twice');
});
