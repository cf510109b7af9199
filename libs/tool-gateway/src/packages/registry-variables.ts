import { existsSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where packages come from: registries, proxies and certificates, but no keys. */
const PASSED = [
  /^(https?|all|no)_proxy$/i,
  /^(node_extra_ca_certs|ssl_cert_file|ssl_cert_dir|requests_ca_bundle|curl_ca_bundle)$/i,
  /^npm_config_(registry|cafile|userconfig|globalconfig|offline)$/i,
  /^pip_(index_url|extra_index_url|find_links|no_index|trusted_host|cert|config_file|default_timeout)$/i,
  /^uv_(default_index|index|index_url|extra_index_url|find_links|no_index|insecure_host|config_file|system_certs|native_tls)$/i,
];
const WITH_CREDENTIALS = /:\/\/[^/\s]*@/;

/** The user's configuration of each tool: the variable that names it, and where it is in the home. */
const USER_FILES = [
  ['npm_config_userconfig', ['.npmrc']],
  ['PIP_CONFIG_FILE', ['.config/pip/pip.conf', '.pip/pip.conf']],
  ['UV_CONFIG_FILE', ['.config/uv/uv.toml']],
] as const;

/**
 * The variables of the host that say where packages come from. Installers have a home of their own, so they get the
 * paths of the user's configuration files. Values with user names or passwords are left out.
 */
export function registryVariables(environment: Environment, home: string): Record<string, string> {
  const passed = Object.entries(environment).flatMap(([name, value]) =>
    value && PASSED.some((pattern) => pattern.test(name)) && !WITH_CREDENTIALS.test(value)
      ? [[name, value] as const]
      : [],
  );
  const names = new Set(passed.map(([name]) => name.toLowerCase()));
  const files = USER_FILES.flatMap(([variable, paths]) => {
    const found = paths.map((path) => join(home, path)).find((path) => existsSync(path));
    return found === undefined || names.has(variable.toLowerCase()) ? [] : [[variable, found] as const];
  });
  return Object.fromEntries([...files, ...passed]);
}
