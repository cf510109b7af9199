import { type ApplicationIntegration, CREDENTIAL_SOURCES, type CredentialSource } from '../plan.ts';
import { parseFlag } from './flags.ts';
import { ManifestFields } from './manifest-fields.ts';
import { isAbsent, isMapping, text } from './values.ts';

/** Reads the integrations of a manifest: the `integrations` list, or the single `integration` of older manifests. */
export function readIntegrations(manifest: ManifestFields): readonly ApplicationIntegration[] {
  const single = manifest.raw('integration');
  const list = manifest.raw('integrations');
  const entries = Array.isArray(list) ? (list as unknown[]) : [];
  if (!isAbsent(list) && !Array.isArray(list)) manifest.reportType('integrations', 'a list');
  if (!isAbsent(single) && entries.length > 0) {
    invalid(
      manifest,
      'integration',
      'app.runtime.yaml cannot define both integration and integrations',
      'keep integrations',
    );
  }
  if (!isAbsent(single)) return readIntegration(manifest, single, ['integration']);
  return entries.flatMap((entry, index) => readIntegration(manifest, entry, ['integrations', index]));
}

function readIntegration(
  manifest: ManifestFields,
  entry: unknown,
  path: readonly (string | number)[],
): readonly ApplicationIntegration[] {
  if (!isMapping(entry)) {
    manifest.strictError(path, 'app_integration_invalid', 'each integration must be a mapping');
    return [];
  }
  const fields = new ManifestFields(manifest.report, manifest.configPath, entry, path);
  const provider = text(fields.raw('provider')) ?? text(fields.raw('destination'));
  if (provider === undefined) {
    fields.strictError([], 'app_integration_invalid', "each integration requires a non-empty 'provider'");
    return [];
  }
  return [
    {
      key: text(fields.text('key')) ?? provider,
      provider,
      capability: text(fields.text('capability')) ?? null,
      scopes: fields.strings('scopes'),
      required: flag(fields, ['required'], true),
      credentialSource: readCredentialSource(fields),
      holabossUserIdRequired: flag(fields, ['holaboss_user_id_required', 'holabossUserIdRequired'], false),
    },
  ];
}

function readCredentialSource(fields: ManifestFields): CredentialSource {
  const name = isAbsent(fields.raw('credential_source')) ? 'credentialSource' : 'credential_source';
  const value = fields.raw(name);
  if (isAbsent(value)) return 'platform';
  const source = CREDENTIAL_SOURCES.find((known) => known === text(value)?.toLowerCase());
  if (source) return source;
  invalid(fields, name, `credential_source must be one of: ${CREDENTIAL_SOURCES.join(', ')}`);
  return 'platform';
}

/**
 * Reads a boolean, which may also be a word such as `yes`, or 1 or 0. Uses the first of the names that is present.
 */
function flag(fields: ManifestFields, names: readonly string[], fallback: boolean): boolean {
  const name = names.find((candidate) => !isAbsent(fields.raw(candidate)));
  if (name === undefined) return fallback;
  const reading = parseFlag(fields.raw(name));
  if (reading === undefined) fields.reportType(name, 'true or false');
  return reading ?? fallback;
}

/** The legacy system reports these two errors for the whole manifest, not for the field. */
function invalid(fields: ManifestFields, field: string, message: string, specificHint?: string): void {
  fields.report.error({
    code: 'app_config_invalid_yaml',
    at: [...fields.path, field],
    displayPath: fields.configPath,
    message,
    specificHint,
  });
}
