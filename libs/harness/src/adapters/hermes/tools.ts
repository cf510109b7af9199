import type { HarnessRun } from '../../contract.ts';

/** The built-in tools of Hermes that a run can have, by the name in requests. */
export const NATIVE_TOOL_NAMES: Readonly<Record<string, string>> = {
  read: 'read_file',
  write: 'write_file',
  edit: 'patch',
  grep: 'search_files',
  bash: 'terminal',
};
/** Every name under which a run can request a built-in tool. */
export const HERMES_TOOL_NAMES: readonly string[] = Object.keys(NATIVE_TOOL_NAMES);
const SERVER = 'reins';

/** The name of the server with this number in the configuration of Hermes. */
export const serverName = (index: number): string => `${SERVER}${index === 0 ? '' : index + 1}`;

/** The built-in tools that the model of a run is offered. */
export const hermesTools = ({ tools = HERMES_TOOL_NAMES }: Pick<HarnessRun, 'tools'>): readonly string[] =>
  HERMES_TOOL_NAMES.filter((name) => tools.includes(name)).map((name) => NATIVE_TOOL_NAMES[name] ?? name);

/** The tools of the run's servers: their own names, and the names that Hermes gives to them. */
export const servedTools = ({ mcpServers }: Pick<HarnessRun, 'mcpServers'>) =>
  mcpServers.flatMap(({ tools }, index) =>
    tools.map(({ name }) => ({ own: name, offered: `mcp__${serverName(index)}__${name.replace(/[^\w]/g, '_')}` })),
  );
