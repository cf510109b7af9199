/** The patterns of the file format, shared by its schema and by the checks. */

/** `server.tool`, exactly one dot, no pattern. */
export const TOOL_ID_PATTERN = '^([A-Za-z0-9][A-Za-z0-9_-]*)\\.([A-Za-z0-9][A-Za-z0-9_-]*)$';

/** A module of the workspace's `tools` folder. */
export const TOOL_MODULE_PATTERN = '^tools(\\.[A-Za-z_$][A-Za-z0-9_$-]*)+$';

/** A server that an allowlist can name. */
export const SERVER_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]*$';

export const ENV_NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_]*$';

/** Runtime ids are slugs, as in subjects. */
export const RUNTIME_ID_PATTERN = '^[a-z][a-z0-9_]{0,62}$';

/** A tool as the model calls it, `server.tool`, or all tools of a server. */
export const GATED_TOOL_PATTERN = '^[A-Za-z0-9_][A-Za-z0-9_-]*(\\.([A-Za-z0-9_][A-Za-z0-9_-]*|\\*))?$';

/** A timer that is set for longer fires at once. */
export const MAX_TIMEOUT_MS = 2_147_483_647;
export const DEFAULT_TIMEOUT_MS = 10_000;

export const MAX_PORT = 65_535;

/** `<path>#<export>`: a module within the workspace, and one of its exports; without one it is `process`, then the default export. */
export const PROCESS_PATTERN = '^(?!/)(?!.*(?:^|/)\\.\\.?/)[^#\\\\]+\\.[cm]?[jt]s(?:#[A-Za-z_$][A-Za-z0-9_$]*)?$';

/** An address that a remote server can have. */
export const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://';

/** What a pattern admits, for people. */
export const PATTERN_DESCRIPTIONS: Readonly<Record<string, string>> = {
  [TOOL_MODULE_PATTERN]: 'a module in the folder tools, as `tools.<name>`',
  [RUNTIME_ID_PATTERN]:
    'the id of a runtime, as `openai_chat`: small letters, digits and _, a letter first, at most 63',
  [GATED_TOOL_PATTERN]: 'one tool, as `bash` or `server.tool`, or all of one server, as `server.*`',
  [PROCESS_PATTERN]: 'a module inside the workspace and one of its exports, as `process/main.ts#process`',
  [URL_PATTERN]: 'an http or https address',
};
