import type { ResolvedApplicationRuntime } from '../plan.ts';
import type { ManifestFields } from './manifest-fields.ts';
import { isMapping } from './values.ts';

type HealthCheck = ResolvedApplicationRuntime['health_check'];

/** Selects and reads the health check: `mcp`, else `api`, else the first one, which is then used as the `mcp` check. */
export function readHealthCheck(manifest: ManifestFields): HealthCheck {
  const checks = manifest.section('healthchecks');
  for (const key of checks.keys()) if (!isMapping(checks.raw(key))) checks.section(key); // reports a check that is not a mapping
  const name = ['mcp', 'api', ...checks.keys()].find((key) => isMapping(checks.raw(key)));
  const check = name === undefined ? undefined : checks.section(name);
  if (check && name !== 'mcp' && name !== 'api') warnOtherName(check, name as string);
  return {
    target: name === 'api' ? 'api' : 'mcp',
    path: check?.text('path') ?? '/health',
    timeout_s: duration(check, 'timeout_s') ?? 60,
    interval_s: duration(check, 'interval_s') ?? 5,
  };
}

function warnOtherName(check: ManifestFields, name: string): void {
  check.report.warn({
    code: 'workspace_value_coerced',
    at: check.path,
    pointsAtKey: true,
    message: `the health check '${name}' is used as the 'mcp' check`,
    specificHint: "name it 'mcp' or 'api'",
  });
}

function duration(check: ManifestFields | undefined, field: string): number | undefined {
  const raw = check?.raw(field);
  if (!check || raw === undefined) return undefined;
  if (raw === null) {
    check.report.warn({
      code: 'workspace_value_coerced',
      at: [...check.path, field],
      pointsAtKey: true,
      message: `'${field}' is empty; its default is used`,
      specificHint: 'remove the key, or set it to a number of seconds; earlier versions read 0',
    });
    return undefined;
  }
  const seconds = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) {
    check.strictError([field], 'app_manifest_field_invalid', `'${field}' must be a number of seconds greater than 0`);
    return undefined;
  }
  if (typeof raw === 'string') {
    check.report.warn({
      code: 'workspace_value_coerced',
      at: [...check.path, field],
      message: `'${field}' is a string and was read as ${seconds}`,
      specificHint: `write it without quotes: ${seconds}`,
    });
  }
  return seconds;
}
