/** Patterns of the file format, shared by its schema and by the checks. */

/** A tool id: `server.tool` with exactly one dot, no wildcards. */
export const TOOL_ID_PATTERN = '^([A-Za-z0-9][A-Za-z0-9_-]*)\\.([A-Za-z0-9][A-Za-z0-9_-]*)$';

/** A module of the workspace's `tools` folder. */
export const TOOL_MODULE_PATTERN = '^tools(\\.[A-Za-z_$][A-Za-z0-9_$-]*)+$';

/** The id of a server that can be allowlisted. */
export const SERVER_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]*$';

export const ENV_NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_]*$';

/** Runtime ids are slugs, because they are part of subjects. */
export const RUNTIME_ID_PATTERN = '^[a-z][a-z0-9_]{0,62}$';

/** A tool as the model calls it, `server.tool`, or all tools of a server (`server.*`). */
export const GATED_TOOL_PATTERN = '^[A-Za-z0-9_][A-Za-z0-9_-]*(\\.([A-Za-z0-9_][A-Za-z0-9_-]*|\\*))?$';

/** Node.js fires longer timers immediately. */
export const MAX_TIMEOUT_MS = 2_147_483_647;
export const DEFAULT_TIMEOUT_MS = 10_000;

export const MAX_PORT = 65_535;

/** `<path>#<export>`: a module in the workspace and one of its exports. Default: `process`, then the default export. */
export const PROCESS_PATTERN = '^(?!/)(?!.*(?:^|/)\\.\\.?/)[^#\\\\]+\\.[cm]?[jt]s(?:#[A-Za-z_$][A-Za-z0-9_$]*)?$';

/** The URL of a remote server. */
export const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://';

/** `name@version`. The compiler checks both in detail. */
export const NPM_PACKAGE_PATTERN = '^(@[^@/\\s]+/)?[^@/\\s]+@[0-9]\\S*$';
export const PYPI_PACKAGE_PATTERN = '^[A-Za-z0-9._-]+(@|==)[0-9]\\S*$';

/** Descriptions of the patterns for error messages. */
export const PATTERN_DESCRIPTIONS: Readonly<Record<string, string>> = {
  [TOOL_MODULE_PATTERN]: 'a module in the tools folder, for example `tools.<name>`',
  [RUNTIME_ID_PATTERN]:
    'a runtime id such as `openai_chat`: lower-case letters, digits and _, starting with a letter, at most 63 characters',
  [GATED_TOOL_PATTERN]: 'a tool such as `bash` or `server.tool`, or all tools of a server such as `server.*`',
  [PROCESS_PATTERN]: 'a module in the workspace and one of its exports, for example `process/main.ts#process`',
  [URL_PATTERN]: 'an http or https address',
};
