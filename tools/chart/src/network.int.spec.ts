import { describe, expect, test } from '@jest/globals';
import { SERVICE_NAMES } from '@reins/service-kit';
import { render } from './testing/helm.ts';
import { type Manifest, ofKind, type Peer, type Pod, partOf, podsOf, type Rule, selects } from './testing/manifest.ts';
import { VARIANTS } from './testing/variants.ts';

const WORKERS = [...SERVICE_NAMES];
const connect = (parts: readonly string[], to: string): string[] => parts.map((part) => `${part} → ${to}`);

/** The connections between pods that the policies allow, as `part → part:port`. */
function allowedConnections(manifests: readonly Manifest[]): string[] {
  const pods = podsOf(manifests);
  const ports = new Set(pods.flatMap(portsOf));
  const allowed = pods.flatMap((from) =>
    pods.flatMap((to) =>
      [...ports]
        .filter((port) => permits(manifests, 'Egress', { of: from, other: to, to, port }))
        .filter((port) => permits(manifests, 'Ingress', { of: to, other: from, to, port }))
        .map((port) => `${partOf(from.labels)} → ${partOf(to.labels)}:${port}`),
    ),
  );
  return [...new Set(allowed)].sort();
}

interface Connection {
  /** The pod whose policies are asked. */
  readonly of: Pod;
  /** The pod at the other end. */
  readonly other: Pod;
  /** The pod that listens. */
  readonly to: Pod;
  readonly port: number;
}

/** A pod that no policy of a direction selects is open in this direction. Otherwise one rule must match. */
function permits(
  manifests: readonly Manifest[],
  type: 'Ingress' | 'Egress',
  { of, other, to, port }: Connection,
): boolean {
  const policies = ofKind(manifests, 'NetworkPolicy').filter(
    ({ spec }) => spec?.policyTypes?.includes(type) && selects(spec.podSelector ?? {}, of.labels),
  );
  if (policies.length === 0) return true;
  const rules = policies.flatMap(({ spec }) => (type === 'Ingress' ? spec?.ingress : spec?.egress) ?? []);
  return rules.some((rule) => namesPod(rule.from ?? rule.to, other) && namesPort(rule, to, port));
}

const namesPod = (peers: readonly Peer[] | undefined, { labels }: Pod): boolean =>
  peers === undefined ||
  peers.some((peer) => !peer.namespaceSelector && peer.podSelector && selects(peer.podSelector, labels));

const namesPort = ({ ports }: Rule, { spec }: Pod, port: number): boolean =>
  ports === undefined ||
  ports.some((each) => each.protocol === 'TCP' && (each.port === port || numberOf(spec, each.port) === port));

const numberOf = ({ containers = [] }: Pod['spec'], name: number | string): number | undefined =>
  containers.flatMap(({ ports = [] }) => ports).find((each) => each.name === name)?.containerPort;

const portsOf = ({ spec }: Pod): number[] =>
  (spec.containers ?? []).flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort));

const policy = (manifests: readonly Manifest[], name: string): Manifest | undefined =>
  ofKind(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === `reins-${name}`);

describe.each(Object.keys(VARIANTS).filter((name) => !name.startsWith('no policies')))('%s', (name) => {
  test('a policy denies every pod everything, and every other policy allows pods of the release something', async () => {
    const manifests = await render(VARIANTS[name]);
    const pods = podsOf(manifests);
    const deny = policy(manifests, 'default-deny')?.spec;
    expect(deny).toEqual({ podSelector: deny?.podSelector, policyTypes: ['Ingress', 'Egress'] });
    expect(pods.filter(({ labels }) => !selects(deny?.podSelector ?? {}, labels))).toEqual([]);
    for (const { metadata, spec } of ofKind(manifests, 'NetworkPolicy')) {
      const selected = pods.filter(({ labels }) => selects(spec?.podSelector ?? {}, labels));
      expect([metadata.name, selected.length > 0]).toEqual([metadata.name, true]);
    }
  });
});

test('bundled servers: only their clients reach them, and only the toolbox and the test reach the gateway from inside', async () => {
  const database = ['gateway', 'projector', 'memory', 'migrations', 'toolbox'];
  expect(allowedConnections(await render(VARIANTS.small))).toEqual(
    [
      ...connect([...WORKERS, 'toolbox'], 'nats:4222'),
      ...connect(['nats'], 'nats:6222'),
      ...connect(database, 'postgres:5432'),
      ...connect(['toolbox', 'test'], 'gateway:7420'),
    ].sort(),
  );
});

test('external servers: pods reach them by their ports, at the named peers if there are any', async () => {
  const manifests = await render(VARIANTS['external servers with NKeys']);
  expect(policy(manifests, 'nats-clients')?.spec?.egress).toEqual([
    { to: [{ ipBlock: { cidr: '10.1.0.0/24' } }], ports: [{ protocol: 'TCP', port: 4222 }] },
  ]);
  expect(policy(manifests, 'database-clients')?.spec?.egress).toEqual([{ ports: [{ protocol: 'TCP', port: 5432 }] }]);
});

test('the chosen peers scrape every service, and the chosen peers alone call the gateway', async () => {
  const scraped = await render(VARIANTS['external servers with NKeys']);
  expect(policy(scraped, 'metrics')?.spec?.ingress).toEqual([
    { from: [{ podSelector: {} }], ports: [{ protocol: 'TCP', port: 'http' }] },
  ]);
  const called = await render(VARIANTS['external NATS with credentials']);
  const peers = policy(called, 'gateway')?.spec?.ingress?.[0]?.from ?? [];
  expect(peers.at(-1)).toEqual({ namespaceSelector: {} });
  const others = podsOf(called).filter((pod) => namesPod(peers, pod));
  expect(others.map(({ labels }) => partOf(labels)).sort()).toEqual(['test', 'toolbox']);
});

test('hosts reach port 443 of public addresses only, or what the values name', async () => {
  const [internet, ...others] = policy(await render(VARIANTS.production), 'hosts')?.spec?.egress ?? [];
  expect(others).toEqual([]);
  expect(internet?.ports).toEqual([{ protocol: 'TCP', port: 443 }]);
  expect(internet?.to?.[0]?.ipBlock?.except).toEqual(
    expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10']),
  );
  // Unique local, link-local and multicast addresses are outside of this range.
  expect(internet?.to?.[1]?.ipBlock).toEqual({ cidr: '2000::/3' });
  const none = policy(await render(VARIANTS['external NATS with credentials']), 'hosts');
  expect(none?.spec?.egress).toEqual([]);
});

test('without policies there are none', async () => {
  expect(ofKind(await render(VARIANTS['no policies, no authentication']), 'NetworkPolicy')).toEqual([]);
});
