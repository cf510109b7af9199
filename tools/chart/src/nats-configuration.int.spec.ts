import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { findNatsServer } from '@reins/embedded';
import { repositoryRoot, tempDir } from '@reins/testing';
import { render } from './testing/helm.ts';
import { containersOf, type Manifest, ofKind, podsOf } from './testing/manifest.ts';
import { VARIANTS } from './testing/variants.ts';

const configurationIn = (manifests: readonly Manifest[]): string =>
  ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === 'reins-nats')?.data?.['nats.conf'] ?? '';

test.each(['default', 'production', 'no policies, no authentication'])(
  'NATS reads its configuration: %s',
  async (name) => {
    const stateDir = join(repositoryRoot, '.reins');
    const server = await findNatsServer({ stateDir, path: process.env.PATH ?? '' });
    const file = join(await tempDir('chart'), 'nats.conf');
    const configuration = configurationIn(await render(VARIANTS[name]));
    // The data is in the volume of the pod.
    await writeFile(file, configuration.replace('/data', join(file, '..')));
    const env = { POD_NAME: 'reins-nats-0', NATS_TOKEN: 'token' };
    const { stderr } = await promisify(execFile)(server?.binary ?? '', ['--config', file, '-t'], { env });
    expect(stderr).toContain('is valid');
  },
);

test('three servers know each other by the names that Kubernetes gives them', async () => {
  const manifests = await render(VARIANTS.production);
  const [set] = ofKind(manifests, 'StatefulSet');
  expect(set?.spec).toMatchObject({ replicas: 3, serviceName: 'reins-nats-servers' });
  const routes = [...configurationIn(manifests).matchAll(/nats:\/\/(\S+):6222/g)].map(([, host]) => host);
  expect(routes).toEqual([0, 1, 2].map((index) => `${set?.metadata.name}-${index}.reins-nats-servers`));
  const services = ofKind(manifests, 'Service').map(({ metadata }) => metadata.name);
  expect(services).toEqual(expect.arrayContaining(['reins-nats', 'reins-nats-servers']));
});

test('the variables of the configuration are those of the pod', async () => {
  const manifests = await render(VARIANTS.default);
  const used = [...configurationIn(manifests).matchAll(/\$(\w+)/g)].map(([, name]) => name).sort();
  const pod = podsOf(manifests).find(({ name }) => name === 'reins-nats');
  const given = pod && containersOf(pod).flatMap(({ env = [] }) => env.map(({ name }) => name));
  expect(given?.sort()).toEqual(used);
});
