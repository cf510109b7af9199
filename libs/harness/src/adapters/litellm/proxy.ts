import type { HarnessEnvironment } from '../../contract.ts';

/** The provider that is the proxy, unless `harness.litellm.provider` names another one. */
export const LITELLM_PROVIDER = 'litellm';

/** The id of the provider that is the proxy. */
export function providerOf({ settings: { provider } }: Pick<HarnessEnvironment, 'settings'>): string {
  return typeof provider === 'string' && provider !== '' ? provider : LITELLM_PROVIDER;
}

/** What follows the address of the proxy in the base URL of a provider. */
const API_PATH = /\/(?:v1|engines\/[^/]+|openai\/deployments\/[^/]+)?\/*$/;

/** The address that says whether the proxy takes calls. It needs no key, and calls no model. */
export const readinessUrl = (baseUrl: string): string => `${baseUrl.replace(API_PATH, '')}/health/readiness`;
