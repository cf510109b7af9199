import { ReinsError } from '@reins/contracts';
import type { ModelEndpoint } from '../contract.ts';

type Endpoint = Pick<ModelEndpoint, 'baseUrl' | 'apiKey'>;

/**
 * The kind of login that a key is, instead of an API key: undefined for an API key. Vendors issue these tokens to their
 * own programs, for the account of one person, and they expire.
 */
export function vendorLoginOf({ baseUrl, apiKey }: Endpoint): string | undefined {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  if (/^sk-ant-o[ar]t\d*-/.test(apiKey)) return 'the login of a Claude account';
  if (host === 'api.openai.com' && apiKey.startsWith('eyJ')) return 'the login of a ChatGPT account';
  if (host.endsWith('.googleapis.com') && apiKey.startsWith('ya29.')) return 'the login of a Google account';
  // The files of these programs, and of service accounts.
  return apiKey.trimStart().startsWith('{') ? 'the content of a credentials file' : undefined;
}

/** @throws ReinsError `credentials_unsupported` when the key of an endpoint is the login of a vendor */
export function requireApiKey(endpoint: Endpoint): void {
  const login = vendorLoginOf(endpoint);
  if (login === undefined) return;
  throw new ReinsError({
    code: 'credentials_unsupported',
    message: `the key of the provider is ${login}, not an API key`,
    path: 'model_client.api_key',
    hint: USE_API_KEY,
  });
}

export const USE_API_KEY = 'Create an API key in the console of the vendor, and set it as the key of the provider.';
