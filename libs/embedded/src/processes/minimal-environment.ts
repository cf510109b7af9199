const NAMES = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'];

/**
 * The environment of processes that need nothing of this process. Other processes of the user can read it, so it has no
 * keys.
 */
export function minimalEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(NAMES.flatMap((name) => (name in environment ? [[name, environment[name]]] : [])));
}
