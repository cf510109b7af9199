import type { Report } from '../diagnostics/report.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import type { ResolvedApplicationRuntime } from '../plan.ts';
import { MANIFEST, TRANSPORTS } from '../schema/manifest.ts';
import { warnUnknownKeys } from '../schema/unknown-keys.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { readHealthCheck } from './health-check.ts';
import { readIntegrations } from './integrations.ts';
import { ManifestFields } from './manifest-fields.ts';
import { folderOf } from './paths.ts';
import { readPort } from './port.ts';
import { asText, isMapping, kindOf, ownProperty } from './values.ts';

export interface ManifestInput {
  readonly report: Report;
  readonly configPath: string;
  readonly declaredId: string;
  readonly document: YamlDocument;
}

/** Reads an application's manifest. */
export function readManifest(input: ManifestInput): ResolvedApplicationRuntime | undefined {
  const { report, configPath, declaredId } = input;
  const manifest = input.document.value;
  if (!isMapping(manifest)) {
    report.error({
      code: 'app_config_invalid_yaml',
      at: [],
      message: 'app.runtime.yaml must be a mapping',
      specificHint: `found ${kindOf(manifest)}; write a mapping`,
    });
    return undefined;
  }
  warnUnknownKeys(report, manifest, MANIFEST);
  checkId(input, asText(ownProperty(manifest, 'app_id')));
  const root = new ManifestFields(report, configPath, manifest, []);
  const mcp = root.section('mcp');
  const port = readPort(mcp);
  const integrations = readIntegrations(root);
  const lifecycle = root.section('lifecycle');
  return {
    app_id: declaredId,
    mcp: { transport: readTransport(mcp), port: port ?? 0, path: readPath(mcp) },
    health_check: readHealthCheck(root),
    env_contract: root.environmentNames('env_contract'),
    ...(integrations.length > 0 && { integrations }),
    start_command: root.text('start') ?? '',
    base_dir: folderOf(configPath),
    lifecycle: {
      setup: lifecycle.text('setup') ?? '',
      start: lifecycle.text('start') ?? '',
      stop: lifecycle.text('stop') ?? '',
    },
  };
}

/** Only a warning, because the legacy system passes any transport on unchanged. */
function readTransport(mcp: ManifestFields): string {
  const transport = mcp.text('transport') ?? 'http-sse';
  if (TRANSPORTS.includes(transport)) return transport;
  mcp.report.warn({
    code: 'app_manifest_field_invalid',
    at: [...mcp.path, 'transport'],
    message: `unknown transport '${transport}'`,
    specificHint: didYouMean(transport, () => TRANSPORTS, `use one of: ${TRANSPORTS.join(', ')}`),
  });
  return transport;
}

/** The path follows the port in the URL, so without a leading slash the URL is invalid. */
function readPath(mcp: ManifestFields): string {
  const path = mcp.text('path') ?? '/mcp';
  if (path.startsWith('/')) return path;
  mcp.report.warn({
    code: 'app_manifest_field_invalid',
    at: [...mcp.path, 'path'],
    message: `'path' must start with a slash, otherwise the application cannot be reached`,
    specificHint: `write \`path: /${path.trim()}\``,
  });
  return path;
}

function checkId({ report, configPath, declaredId }: ManifestInput, id: string): void {
  if (id === declaredId) return;
  report.error({
    code: 'app_id_mismatch',
    at: ['app_id'],
    displayPath: configPath,
    message: idMismatchMessage(id, declaredId),
    specificHint: 'use the same id in the manifest and in workspace.yaml',
  });
}

export function idMismatchMessage(id: string, declaredId: string): string {
  return `app_id in yaml ('${id}') does not match declared app_id ('${declaredId}')`;
}
