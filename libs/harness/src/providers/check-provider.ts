import type { ProviderHealth } from '@reins/contracts';
import { listsModel, type ModelList } from '@reins/runtime-config';
import type { KeySetting, ProviderEndpoint } from '../contract.ts';
import { listCall, parseModelList } from './model-list.ts';
import { USE_API_KEY, vendorLoginOf } from './vendor-login.ts';

/** A provider to check, and the model that the installation selects from it. */
export interface ProviderToCheck {
  readonly providerId: string;
  readonly endpoint: ProviderEndpoint;
  readonly modelId?: string | undefined;
}

type Finding = Omit<ProviderHealth, 'providerId'>;

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const SHOWN_MODELS = 3;
/** The most models that an offer lists. */
const MAX_LISTED_MODELS = 200;
const MODEL_NAME = /^[\w./:@-]{1,80}$/;
/** What gateways and vendors that answer 400 to an invalid key write in the response. */
const KEY_REFUSED = /API_KEY_INVALID|no_db_connection/;

/**
 * Checks that a provider is reachable, accepts its key, and lists the model. Requests the list of models, which costs no
 * tokens. A provider without such a list is `unknown`, not `failed`. Never rejects; contains no secret.
 */
export async function checkProvider(provider: ProviderToCheck, deadlineMs: number): Promise<ProviderHealth> {
  return {
    providerId: provider.providerId,
    ...(missingKey(provider) ?? vendorLogin(provider) ?? (await listModels(provider, deadlineMs))),
  };
}

/** Why a provider has no key, and what to do; undefined if the settings name none, or it is there. */
export function missingKey({
  providerId,
  endpoint,
}: Pick<ProviderToCheck, 'providerId' | 'endpoint'>): { status: 'failed'; reason: string; hint: string } | undefined {
  const { keySetting, apiKey } = endpoint;
  if (keySetting === undefined || apiKey !== '') return undefined;
  const { path, variable, file } = keySetting;
  if (file !== undefined)
    return failed(
      `provider ${providerId} has no key: ${path} names ${file}, which is missing or empty`,
      `Write the key into ${file} on the machine of the harness host.`,
    );
  return failed(
    variable === undefined
      ? `provider ${providerId} has no key: ${path} is empty`
      : `provider ${providerId} has no key: ${path} names ${variable}, which is not set`,
    variable === undefined ? `Set ${path}.` : `Set ${variable} in the environment of the harness host.`,
  );
}

function vendorLogin({ providerId, endpoint }: ProviderToCheck): Finding | undefined {
  const login = vendorLoginOf(endpoint);
  return login === undefined ? undefined : failed(`the key of provider ${providerId} is ${login}`, USE_API_KEY);
}

async function listModels(provider: ProviderToCheck, deadlineMs: number): Promise<Finding> {
  const { providerId, endpoint } = provider;
  try {
    const { url, headers } = listCall(endpoint);
    // A redirect would send the key to another address.
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(deadlineMs) });
    return findingOf(provider, response.status, await readBody(response));
  } catch (error) {
    const why = causeOf(error, deadlineMs);
    const hint = `Check that the endpoint is running and that this host can reach it, or correct providers.${providerId}.base_url.`;
    return failed(`provider ${providerId} cannot be reached at ${addressOf(endpoint.baseUrl)} (${why})`, hint);
  }
}

function findingOf(provider: ProviderToCheck, status: number, body: string | undefined): Finding {
  const { providerId, endpoint } = provider;
  if (status === 401 || status === 403 || (status === 400 && KEY_REFUSED.test(body ?? ''))) return refusedKey(provider);
  if (status === 502 || status === 503 || status === 504) {
    const hint = `Check that the endpoint works, or correct providers.${providerId}.base_url.`;
    return failed(`provider ${providerId} responds with ${status} at ${addressOf(endpoint.baseUrl)}`, hint);
  }
  if (status < 200 || status > 299) return unknown(`it responds with ${status} to the request for its list of models`);
  const list = body === undefined ? undefined : parseModelList(body);
  return list ? modelFinding(provider, list) : unknown('it has no list of models');
}

function modelFinding({ providerId, modelId }: ProviderToCheck, list: ModelList): Finding {
  const ids = list.ids.filter((id) => MODEL_NAME.test(id));
  // An offer is renewed often, and an incomplete list decides nothing.
  const isWhole = list.complete && ids.length === list.ids.length && ids.length > 0 && ids.length <= MAX_LISTED_MODELS;
  const ok: Finding = { status: 'ok', ...(isWhole && { models: ids }) };
  if (modelId === undefined) return ok;
  const known = listsModel(list, modelId);
  if (known === undefined) return unknown(`its list of models does not show whether it has ${modelId}`);
  if (known) return ok;
  const some = ids.slice(0, SHOWN_MODELS);
  const examples = some.map((id) => `${providerId}/${id}`).join(', ');
  return failed(
    `provider ${providerId} does not have the model ${modelId}`,
    `Set model.override to a model of the provider${examples === '' ? '' : `, such as ${examples}`}.`,
  );
}

function refusedKey({ providerId, endpoint: { keySetting } }: ProviderToCheck): Finding {
  return keySetting === undefined
    ? failed(`provider ${providerId} requires an API key`, `Set providers.${providerId}.api_key_env.`)
    : failed(`provider ${providerId} refused its API key`, `Set a valid key in ${nameOf(keySetting)}.`);
}

function nameOf({ path, variable, file }: KeySetting): string {
  const place = variable ?? file;
  return place === undefined ? path : `${place} (${path})`;
}

const failed = (reason: string, hint: string) => ({ status: 'failed', reason, hint }) as const;

const unknown = (why: string): Finding => ({
  status: 'unknown',
  reason: `its key and models could not be checked: ${why}`,
});

/** Reads the body up to a limit. Returns undefined for a larger one. */
async function readBody(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Why a call failed: the code of the system, such as `ECONNREFUSED`. Messages of others may contain a secret. */
function causeOf(error: unknown, deadlineMs: number): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return `no response within ${deadlineMs} ms`;
  return typeof cause?.code === 'string' ? cause.code : 'invalid address or response';
}

/** The address without user, query and fragment, which may contain a key. */
function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'an invalid address';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`;
}
