import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { TelemetrySettings } from '../settings/telemetry-settings.ts';

const PARENT_BASED = 'parentbased_';

/** The sampler with the name that OpenTelemetry specifies for `OTEL_TRACES_SAMPLER`. */
export function samplerOf({ sampler, sampleRatio }: Pick<TelemetrySettings, 'sampler' | 'sampleRatio'>): Sampler {
  if (sampler.startsWith(PARENT_BASED))
    return new ParentBasedSampler({ root: rootSampler(sampler.slice(PARENT_BASED.length), sampleRatio) });
  return rootSampler(sampler, sampleRatio);
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
