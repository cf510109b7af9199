import { nearest, ReinsError } from '@reins/contracts';
import { catalogOfSettings, resolveModelTarget, unknownProvider, withFoundModels } from '@reins/runtime-config';
import { type HarnessWatch, requiredRuntimes, type Settings } from '@reins/service-kit';
import type { SubmitRequest } from './requests.dto.ts';

type Named = Pick<SubmitRequest, 'stages' | 'model'>;

/**
 * Checks that healthy hosts offer every runtime that the profile and the request name.
 * @throws ReinsError `runtime_missing`
 */
export function checkRuntimes(harnesses: HarnessWatch, settings: Settings, request: Named): void {
  const isOffered = (id: string): boolean => harnesses.wasOffered(id);
  const named = requiredRuntimes(settings.runtimeProfile, isOffered, request.stages);
  const message = harnesses.unavailableReason(named);
  if (message === undefined) return;
  const offered = harnesses.healthyRuntimes;
  const similar = named.flatMap((id) => (offered.includes(id) ? [] : (nearest(id, offered) ?? [])));
  const hint = [
    ...(similar.length > 0 ? [`Did you mean ${similar.join(', ')}?`] : []),
    `Use a runtime that a host offers (${offered.join(', ') || 'none now'}), or start a host that offers the runtime; \`reins doctor\` shows the mapping.`,
  ].join(' ');
  throw new ReinsError({ code: 'runtime_missing', message, path: 'stages', hint });
}

/**
 * Checks that the model of a request has a provider. Runtimes with a model of their own can do without one. Without any
 * provider in its settings, the gateway cannot check a model.
 * @throws ReinsError `model_provider_unconfigured` · `model_invalid`
 */
export function checkModel(harnesses: HarnessWatch, settings: Settings, request: Named): void {
  const { model } = request;
  if (model === undefined || Object.keys(settings.providers).length === 0) return;
  const found = harnesses.offers.flatMap(({ providers = [] }) => providers);
  const catalog = withFoundModels(catalogOfSettings(settings), found);
  const { provider, providerId } = resolveModelTarget(model, catalog);
  const needsProvider = namedRuntimes(settings, request).every((id) => harnesses.capabilitiesOf(id).includes('model'));
  if (provider === null && needsProvider) throw unknownProvider(model, providerId, catalog);
}

const namedRuntimes = ({ runtimeProfile }: Settings, { stages }: Named): readonly string[] => [
  runtimeProfile.default,
  ...Object.values({ ...runtimeProfile.stages, ...stages }),
];
