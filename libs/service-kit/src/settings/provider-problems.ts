import { isObject, type Problem } from '@reins/contracts';
import { endpointProblems } from './endpoint-problems.ts';

/** An endpoint that takes no API key, by its host. `keyed`: the paths of the same host that do. */
interface UnsupportedEndpoint {
  readonly host: RegExp;
  readonly keyed?: RegExp;
  readonly reason: string;
  readonly hint: string;
}

const LOGIN = 'Use an API key of the vendor and the address of its API.';
const SIGNED = 'Use an endpoint of the same models that accepts an API key, or a gateway such as LiteLLM.';

const UNSUPPORTED: readonly UnsupportedEndpoint[] = [
  { host: /^(?:www\.)?chatgpt\.com$/, reason: 'takes the login of a ChatGPT account', hint: LOGIN },
  { host: /^(?:www\.)?claude\.ai$/, reason: 'takes the login of a Claude account', hint: LOGIN },
  {
    host: /^(?:cloudcode-pa\.googleapis\.com|gemini\.google\.com)$/,
    reason: 'takes the login of a Gemini account',
    hint: LOGIN,
  },
  { host: /^api\.(?:\w+\.)?githubcopilot\.com$/, reason: 'takes the login of a GitHub account', hint: LOGIN },
  {
    host: /^bedrock-runtime(?:-fips)?\.[\w.-]+\.amazonaws\.com$/,
    keyed: /^\/openai\/v1\/?$/,
    reason: 'is the API of Amazon Bedrock, whose calls must be signed',
    hint: 'Use the path /openai/v1 with an API key of Bedrock, or a gateway such as LiteLLM.',
  },
  {
    host: /^(?:[\w-]+-)?aiplatform\.googleapis\.com$/,
    reason: 'is the API of Google Vertex AI, whose calls need a login of Google Cloud',
    hint: SIGNED,
  },
  {
    host: /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/,
    keyed: /^\/openai\/v1\/?$/,
    reason: 'is an API of Azure OpenAI that needs a version and a deployment',
    hint: 'Use the path /openai/v1 with an API key, or a gateway such as LiteLLM.',
  },
];

/** The APIs that are refused by name: each needs more than an API key. */
const UNSUPPORTED_APIS: readonly (readonly [RegExp, string])[] = [
  [/bedrock/i, 'Amazon Bedrock'],
  [/vertex/i, 'Google Vertex AI'],
  [/azure/i, 'Azure OpenAI'],
  [/codex|chatgpt|claude[_-]code|gemini[_-]cli|copilot/i, 'logins of vendor accounts'],
];

/**
 * The mistakes in the settings of a provider that its rules cannot express.
 * @param path the path of the provider in the settings
 * @param value the provider; `baseUrl` must follow its rules
 */
export function providerEndpointProblems(path: string, value: Readonly<Record<string, unknown>>): Problem[] {
  const address = String(value.baseUrl);
  const unsupported = unsupportedEndpoint(`${path}.baseUrl`, address);
  return unsupported ? [unsupported] : endpointProblems(`${path}.baseUrl`, address);
}

/** The problem of an API that is not supported yet; undefined for any other value. */
export function unsupportedApi(path: string, api: unknown): Problem | undefined {
  const [, name] = (typeof api === 'string' && UNSUPPORTED_APIS.find(([pattern]) => pattern.test(api))) || [];
  return name === undefined ? undefined : refusal(path, `${path} does not support ${name}`, SIGNED);
}

/** The members of a map whose values are not texts. Values are omitted, since they may be secrets. */
export function textMapProblems(path: string, map: unknown): Problem[] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([name, text]) =>
    typeof text === 'string' && text.trim() !== ''
      ? []
      : [
          {
            code: 'settings_invalid',
            message: `${path}.${name} must be a string that is not blank`,
            path: `${path}.${name}`,
          },
        ],
  );
}

function unsupportedEndpoint(path: string, address: string): Problem | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  const found = UNSUPPORTED.find(({ host, keyed }) => host.test(hostname) && keyed?.test(pathname) !== true);
  return found && refusal(path, `${path} ${found.reason} (${hostname})`, found.hint);
}

const refusal = (path: string, message: string, hint: string): Problem => ({
  code: 'credentials_unsupported',
  message,
  path,
  hint,
});
