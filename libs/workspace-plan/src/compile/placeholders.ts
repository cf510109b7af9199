const PLACEHOLDER = /\{env:([^}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a value holds an `{env:…}` that names no variable: most often a secret that was pasted in. */
export function malformedPlaceholder(value: string): boolean {
  if (!value.includes('{env:')) return false;
  for (const [, name = ''] of value.matchAll(PLACEHOLDER)) if (!NAME.test(name)) return true;
  return false;
}
