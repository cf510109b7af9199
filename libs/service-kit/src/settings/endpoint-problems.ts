import type { Problem } from '@reins/contracts';

const REPEATED_END = /((?:\/[^/]+)+)\1\/*$/;

/**
 * The mistake in the address of a model endpoint, if any: no scheme or a wrong one, or a path that ends with the same
 * part twice.
 * @param path the path of the setting
 * @param address an address without a password
 */
export function endpointProblems(path: string, address: string): Problem[] {
  const url = address.trim();
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    const message = `${path} must be an http or https address (got ${JSON.stringify(address)})`;
    return [problem(path, message, 'Start the address with http:// or https://.')];
  }
  const { origin, pathname } = new URL(url);
  const [end, repeated] = REPEATED_END.exec(pathname) ?? [];
  if (end === undefined || repeated === undefined) return [];
  const once = `${origin}${pathname.slice(0, -end.length)}${repeated}`;
  return [problem(path, `${path} ends with ${repeated} twice (got ${JSON.stringify(address)})`, `Write ${once}.`)];
}

const problem = (path: string, message: string, hint: string): Problem => ({
  code: 'settings_invalid',
  message,
  path,
  hint,
});
