/** The model that `reins up` starts if no provider is configured. It has no price, and no setting could give it one. */
export const SCRIPTED_MODEL = { providerId: 'scripted', modelId: 'scripted-model' } as const;
