/** What a secret looks like. Each pattern is specific: ordinary texts must not match. */
const PATTERNS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['an API key', /\b(?:sk|pk|rk)[-_](?:[a-z0-9]+[-_])*[A-Za-z0-9]{16,}\b/],
  ['a Reins API key', /\brk_[0-9a-z]{2,}_[0-9a-f]{16,}\b/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{10,}/],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{30,}/],
  ['a JSON Web Token', /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/],
  ['a bearer token', /\bbearer\s+[A-Za-z0-9._~+/-]{16,}/i],
  ['a URL with a password', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]{3,}@/i],
  [
    'a password',
    /\b(?:password|passwort|passwd|pwd|secret|api[_-]?key|access[_-]?token)\s*(?:is|ist|[:=])\s*["'`]?(?=\S*\d)[^\s"'`]{6,}/i,
  ],
];

/**
 * Returns what kind of secret a text contains; undefined if none is found. It recognises the forms of secrets, so a
 * secret that looks like a word is not found.
 */
export const secretIn = (text: string): string | undefined => PATTERNS.find(([, pattern]) => pattern.test(text))?.[0];
