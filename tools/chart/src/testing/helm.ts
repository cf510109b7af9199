import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chartTools, KUBERNETES_VERSIONS } from '@reins/setup/chart-tools';
import { repositoryRoot } from '@reins/testing';
import { parseAllDocuments } from 'yaml';
import { CHART } from '../chart-files.ts';
import type { Manifest } from './manifest.ts';

const tools = chartTools(repositoryRoot);

export interface Result {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export type Values = Readonly<Record<string, unknown>>;

/** A way to install the chart: a values file of the chart, and values that override it. */
export interface Variant {
  readonly file?: 'values-small.yaml' | 'values-production.yaml';
  readonly values?: Values;
}

/** Runs a subcommand of Helm on the chart, as if for the second of the supported versions of Kubernetes. */
export function helm(command: 'template' | 'lint', { file, values = {} }: Variant = {}): Promise<Result> {
  const files = [...(file === undefined ? [] : ['--values', join(CHART, file)]), '--values', '-'];
  const place = command === 'template' ? ['reins', CHART, '--namespace', 'agents'] : [CHART];
  const args = [command, ...place, '--kube-version', KUBERNETES_VERSIONS[1] ?? '', ...files];
  return execute(tools.helm, args, JSON.stringify(values));
}

/** The objects that the chart installs. Fails if Helm refuses the values. */
export async function render(variant: Variant = {}): Promise<Manifest[]> {
  // Kubernetes reads YAML 1.1, in which `yes` is a boolean.
  return parseAllDocuments(await renderText(variant), { version: '1.1' })
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

export async function renderText(variant: Variant = {}): Promise<string> {
  const { code, output, errors } = await helm('template', variant);
  if (code !== 0) throw new Error(errors);
  return output;
}

/** Validates manifests strictly against the schemas of one version of Kubernetes. Resolves to what kubeconform prints. */
export async function kubeconform(version: string, manifests: string): Promise<string> {
  const file = '{{ .NormalizedKubernetesVersion }}-local{{ .StrictSuffix }}/{{ .ResourceKind }}{{ .KindSuffix }}.json';
  const schemas = ['-schema-location', join(tools.schemas, file)];
  // These kinds are not part of Kubernetes.
  const skip = ['-skip', 'PodMonitor,PrometheusRule'];
  const args = ['-strict', '-summary', '-kubernetes-version', version, ...schemas, ...skip];
  const { output, errors } = await execute(tools.kubeconform, args, manifests);
  return `${output}${errors}`.trim();
}

function execute(command: string, args: readonly string[], input: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const texts = ['', ''];
    for (const [index, stream] of [child.stdout, child.stderr].entries()) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        texts[index] += text;
      });
    }
    child.once('error', (cause) => reject(new Error(`${command} is missing: run \`npm run setup\``, { cause })));
    child.once('close', (code) => resolve({ code, output: texts[0] ?? '', errors: texts[1] ?? '' }));
    // A program that refuses its arguments does not read its input.
    child.stdin.on('error', () => undefined).end(input);
  });
}
