import type { FileReport } from '../diagnostics/findings.ts';
import type { ResolvedApplicationRuntime } from '../plan.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { scalarText } from './applications.ts';
import { readHealthCheck } from './health-check.ts';
import { readIntegrations } from './integrations.ts';
import { ManifestFields } from './manifest-fields.ts';
import { folderOf } from './paths.ts';
import { readPort } from './port.ts';
import { isMapping, own } from './values.ts';

export interface ManifestInput {
  readonly report: FileReport;
  readonly configPath: string;
  /** Undefined when the workspace declares an id that is none. */
  readonly declaredId: string | undefined;
  readonly document: YamlDocument;
}

/** Reads an application's manifest. */
export function readManifest(input: ManifestInput): ResolvedApplicationRuntime | undefined {
  const { report, configPath, declaredId } = input;
  const manifest = input.document.value;
  if (!isMapping(manifest)) {
    report.error({
      code: 'app_config_invalid_yaml',
      at: { path: [], shown: configPath },
      message: 'app.runtime.yaml must be a mapping',
    });
    return undefined;
  }
  const id = scalarText(own(manifest, 'app_id'));
  if (declaredId !== undefined && id !== declaredId) {
    report.error({
      code: 'app_id_mismatch',
      at: { path: ['app_id'], shown: configPath },
      message: `app_id in yaml ('${id ?? ''}') does not match declared app_id ('${declaredId}')`,
    });
  }
  const root = new ManifestFields(report, configPath, manifest, []);
  const mcp = root.section('mcp');
  const port = readPort(mcp);
  const integrations = readIntegrations(root);
  const lifecycle = root.section('lifecycle');
  return {
    app_id: declaredId ?? '',
    mcp: { transport: mcp.text('transport') ?? 'http-sse', port: port ?? 0, path: mcp.text('path') ?? '/mcp' },
    health_check: readHealthCheck(root),
    env_contract: root.texts('env_contract'),
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
