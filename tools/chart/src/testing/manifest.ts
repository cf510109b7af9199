/** The parts of objects of Kubernetes that the tests read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels; readonly annotations?: Labels };
  readonly spec?: Spec & PodSpec;
  readonly data?: Labels;
  readonly automountServiceAccountToken?: boolean;
}

export type Labels = Readonly<Record<string, string>>;

interface Spec {
  readonly replicas?: number;
  readonly selector?: Selector;
  readonly template?: { readonly metadata: Manifest['metadata']; readonly spec: PodSpec };
  readonly podSelector?: Selector;
  readonly policyTypes?: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
  readonly groups?: unknown;
  readonly podMetricsEndpoints?: readonly { readonly port: string; readonly path: string }[];
}

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In';
    readonly values: readonly string[];
  }[];
}

export interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol: string; readonly port: number | string }[];
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  readonly nodeSelector?: Labels;
  readonly runtimeClassName?: string;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly Variable[];
  readonly envFrom?: unknown;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, unknown>>;
    readonly limits?: Readonly<Record<string, unknown>>;
  };
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
}

export interface Pod {
  /** The name of the object that creates it. */
  readonly name: string;
  readonly labels: Labels;
  readonly spec: PodSpec;
}

/** The pods of these objects: those of Deployments, StatefulSets and Jobs, and single ones. */
export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    if (kind === 'Pod' && spec) return [{ name: metadata.name, labels: metadata.labels, spec }];
    const template = spec?.template;
    return template ? [{ name: metadata.name, labels: template.metadata.labels, spec: template.spec }] : [];
  });
}

export const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
];

export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);

/** The part of Reins that an object belongs to, such as `gateway`. */
export const partOf = (labels: Labels): string => labels['app.kubernetes.io/component'] ?? '';

/** Whether a selector selects an object with these labels. An empty selector selects every object. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));
