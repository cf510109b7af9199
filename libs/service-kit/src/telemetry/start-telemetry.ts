import { ReinsError } from '@reins/contracts';
import type { TelemetrySettings } from '../settings/telemetry-settings.ts';
import { type ExportSources, NO_TELEMETRY, type Telemetry } from './telemetry.ts';

/**
 * Starts the export of spans, metrics and logs if an endpoint is set. The exporter is loaded only then.
 * @throws ReinsError `settings_invalid`
 */
export async function startTelemetry(
  service: string,
  settings: TelemetrySettings,
  exported: ExportSources,
): Promise<Telemetry> {
  const { endpoint } = settings;
  if (endpoint === undefined) return NO_TELEMETRY;
  if (!URL.canParse(endpoint))
    throw new ReinsError({
      code: 'settings_invalid',
      message: 'telemetry.endpoint must be a URL',
      path: 'telemetry.endpoint',
    });
  const { startOtlp } = await import('./otlp.ts');
  return startOtlp(service, { ...settings, endpoint }, exported);
}
