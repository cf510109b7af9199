import type { HarnessOffer, Problem } from '@reins/contracts';
import { type HostRequest, listsModel } from '@reins/runtime-config';

/**
 * Warns when every host that offers the runtime has a list of the provider's models, and none has the model. This is not
 * an error: some endpoints accept names that they do not list.
 * @param offers of the runtime
 */
export function unlistedModel(
  { provider_id: providerId, model_id: modelId }: Pick<HostRequest, 'provider_id' | 'model_id'>,
  offers: readonly Pick<HarnessOffer, 'providers'>[],
): readonly Problem[] {
  if (providerId === null || modelId === null) return [];
  const lists = offers.map(
    ({ providers = [] }) => providers.find((one) => one.providerId === providerId)?.models ?? [],
  );
  const isUnlisted = lists.length > 0 && lists.every((ids) => listsModel({ ids, complete: true }, modelId) === false);
  if (!isUnlisted) return [];
  return [
    {
      code: 'model_unlisted',
      message: `provider ${providerId} does not list the model ${modelId}`,
      path: 'model',
      hint: `Use a model of the provider, such as ${providerId}/${lists[0]?.[0]}, unless the provider accepts this name.`,
    },
  ];
}
