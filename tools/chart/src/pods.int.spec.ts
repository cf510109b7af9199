import { beforeAll, describe, expect, test } from '@jest/globals';
import { SERVICE_NAMES, STOP_DEADLINE_MS } from '@reins/service-kit';
import { render } from './testing/helm.ts';
import { containersOf, type Manifest, ofKind, type Pod, partOf, podsOf, selects } from './testing/manifest.ts';
import { VARIANTS } from './testing/variants.ts';

const SERVICES = new Set<string>(SERVICE_NAMES);

describe.each(Object.keys(VARIANTS))('%s', (name) => {
  let manifests: Manifest[];
  let pods: Pod[];
  beforeAll(async () => {
    manifests = await render(VARIANTS[name]);
    pods = podsOf(manifests);
  });

  test('every service has a Deployment', () => {
    const deployed = ofKind(manifests, 'Deployment').map(({ metadata }) => partOf(metadata.labels));
    expect([...new Set(deployed)].filter((part) => part !== 'toolbox').sort()).toEqual([...SERVICE_NAMES].sort());
  });

  test('every pod satisfies the restricted profile, with a root file system that it cannot write', () => {
    const wrong = pods.filter(({ spec }) => !isRestricted(spec)).map((pod) => pod.name);
    expect(wrong).toEqual([]);
    const containers = pods.flatMap((pod) => containersOf(pod).map(({ securityContext }) => securityContext));
    const restricted = {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    };
    expect(containers).toEqual(containers.map(() => restricted));
  });

  test('every pod has an account of its part, without a token', () => {
    const accounts = ofKind(manifests, 'ServiceAccount');
    expect(accounts.filter((account) => account.automountServiceAccountToken !== false)).toEqual([]);
    for (const { spec, labels } of pods) {
      expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(spec.serviceAccountName).toBe(`reins-${partOf(labels)}`);
    }
    const used = new Set(pods.map(({ spec }) => spec.serviceAccountName));
    expect(accounts.map(({ metadata }) => metadata.name).sort()).toEqual([...used].sort());
  });

  test('secrets are references: no object is a Secret, and no variable with a secret has a value', () => {
    expect(ofKind(manifests, 'Secret')).toEqual([]);
    const variables = pods.flatMap(containersOf).flatMap(({ env = [], envFrom }) => {
      expect(envFrom).toBeUndefined();
      return env;
    });
    const secret = /PASSWORD|TOKEN|CREDENTIALS|KEY|HEADERS|NATS_USER$/;
    const written = variables.filter(({ name: variable, value }) => secret.test(variable) && value !== undefined);
    expect(written).toEqual([]);
    const url = variables.find((variable) => variable.name === 'REINS_DATABASE_URL');
    expect(url?.value ?? 'by reference').toMatch(/^(by reference|postgres:\/\/reins:\$\(POSTGRES_PASSWORD\)@.*)$/);
  });

  test('every container requests memory and has a limit of it', () => {
    for (const { resources } of pods.flatMap(containersOf)) {
      expect(resources).toMatchObject({
        requests: { memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  });

  test('a service gets more time than the pause before SIGTERM and its own deadline', () => {
    const services = pods.filter(({ labels }) => SERVICES.has(partOf(labels)));
    expect(services.length).toBeGreaterThanOrEqual(SERVICE_NAMES.length);
    for (const { spec } of services) {
      const pause = spec.containers?.[0]?.lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect(pause).toBeGreaterThan(0);
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(pause + STOP_DEADLINE_MS / 1000);
    }
  });

  test('Node is not process 1, which would have to collect the orphans of executors', () => {
    const services = pods.filter(({ labels }) => SERVICES.has(partOf(labels)));
    expect(services.map(({ spec }) => spec.shareProcessNamespace)).toEqual(services.map(() => true));
  });

  test('a budget limits how many pods of a service, a pool or NATS are disrupted', () => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget');
    const kept = pods.filter(({ labels }) => SERVICES.has(partOf(labels)) || partOf(labels) === 'nats');
    const covering = kept.map(
      ({ labels }) => budgets.filter(({ spec }) => selects(spec?.selector ?? {}, labels)).length,
    );
    expect(covering).toEqual(kept.map(() => 1));
  });

  test('the selector of an object selects its own pods only', () => {
    const owners = manifests.filter(({ spec }) => spec?.template && spec.selector);
    for (const { metadata, spec } of owners) {
      const selected = pods.filter(({ labels }) => selects(spec?.selector ?? {}, labels)).map((pod) => pod.name);
      expect(selected).toEqual([metadata.name]);
    }
  });
});

const isRestricted = ({ securityContext, hostNetwork, hostPID, volumes = [] }: Pod['spec']): boolean =>
  securityContext?.runAsNonRoot === true &&
  (securityContext.runAsUser ?? 0) > 0 &&
  securityContext.seccompProfile?.type === 'RuntimeDefault' &&
  !hostNetwork &&
  !hostPID &&
  volumes.every((volume) => !('hostPath' in volume));

test('every image is one that deploy/images builds, or one of the bundled servers', async () => {
  const images = podsOf(await render(VARIANTS.small)).flatMap((pod) => containersOf(pod).map(({ image }) => image));
  const own = [...SERVICE_NAMES, 'cli'].map((name) => `reins/${name}:0.1.0`);
  const servers = ['docker.io/library/nats:2.15.2-alpine', 'docker.io/library/postgres:18'];
  expect([...new Set(images)].sort()).toEqual([...own, ...servers].sort());
});

test('a pool has its runtimes, its image, its place and its GPUs', async () => {
  const pods = podsOf(await render(VARIANTS['providers and pools']));
  const pool = pods.find((pod) => pod.name === 'reins-host-gpu');
  expect(pool?.spec).toMatchObject({ runtimeClassName: 'gvisor', nodeSelector: { gpu: 'yes' } });
  const [container] = pool?.spec.containers ?? [];
  expect(container?.image).toBe('registry.example.com/hosts:1');
  expect(container?.resources?.limits).toMatchObject({ 'nvidia.com/gpu': 1 });
  const gateway = pods.find((pod) => pod.name === 'reins-gateway');
  expect(gateway?.spec.containers?.[0]?.image).toBe('registry.example.com/team/reins/gateway:1.2.3');
});

test('the keys of providers reach the hosts only', async () => {
  const pods = podsOf(await render(VARIANTS['providers and pools']));
  const having = pods.filter((pod) => containersOf(pod).some(({ env }) => env?.some((each) => each.name === 'KEY')));
  expect(having.map((pod) => pod.name)).toEqual(['reins-host-gpu', 'reins-host-small']);
});

test('each service sees its own seed of NATS only', async () => {
  const pods = podsOf(await render(VARIANTS['external servers with NKeys']));
  const seeds = pods.flatMap(({ labels, spec }) =>
    (spec.volumes ?? []).filter((volume) => 'secret' in volume).map(({ secret }) => [partOf(labels), secret] as const),
  );
  const users = new Map(seeds.map(([part, secret]) => [part, secret]));
  expect([...users.keys()].sort()).toEqual([...SERVICE_NAMES, 'toolbox'].sort());
  for (const [part, secret] of users) {
    const file = `${part === 'toolbox' ? 'operator' : part}.nk`;
    expect(secret).toMatchObject({ secretName: 'nats-seeds', items: [{ key: file, path: file }] });
  }
});
