/** Last words of names with secret values. */
const SECRET_WORDS = new Set(
  (
    'password passwd passphrase secret secrets token authorization auth cookie cookies credential credentials signature ' +
    'apikey pat jwt'
  ).split(' '),
);

/** Last two words of such names. */
const SECRET_PAIRS = new Set([
  'api key',
  'api keys',
  'access key',
  'private key',
  'secret key',
  'signing key',
  'encryption key',
  'auth key',
  'account key',
]);

const knownKeys = new Map<string, boolean>();
const MAX_KNOWN_KEYS = 4096;

/**
 * Whether the name of a field, header or variable indicates a secret value. It compares whole words: `author`,
 * `max_tokens` and `tokenizer` are not secret, while `GH_PAT`, `x-api-key` and `privateKey` are.
 */
export function isSecretKey(key: string): boolean {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  if (knownKeys.size >= MAX_KNOWN_KEYS) knownKeys.clear();
  const isSecret = hasSecretWords(key);
  knownKeys.set(key, isSecret);
  return isSecret;
}

function hasSecretWords(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  return SECRET_WORDS.has(last) || SECRET_PAIRS.has(`${words.at(-2) ?? ''} ${last}`);
}
