/** The effect of a tool: it reads something, changes something, or coordinates the work. */
export type ToolPolicy = 'inspect' | 'mutate' | 'coordinate';

/** A tool that Reins knows by id. */
export interface ToolDefinition {
  readonly id: string;
  readonly policy: ToolPolicy;
  readonly description: string;
}

const tools = (policy: ToolPolicy, entries: Readonly<Record<string, string>>): readonly ToolDefinition[] =>
  Object.entries(entries).map(([id, description]) => ({ id, policy, description }));

/** Tools that executors provide. */
const BUILTIN_TOOLS: readonly ToolDefinition[] = [
  ...tools('inspect', {
    read: 'Reads a file.',
    grep: 'Searches the contents of files.',
    glob: 'Finds files by name.',
    find: 'Finds files by name.',
    list: 'Lists a folder.',
    ls: 'Lists a folder.',
    todoread: 'Reads the list of open steps.',
    web_search: 'Searches the web.',
  }),
  ...tools('mutate', {
    edit: 'Changes part of a file.',
    write: 'Writes a whole file.',
    bash: 'Runs a shell command.',
  }),
  ...tools('coordinate', {
    question: 'Asks the user and waits for the answer.',
    todowrite: 'Changes the list of open steps.',
    skill: 'Loads a skill of the workspace.',
  }),
];

/** The tools that the tool gateway serves to every runtime that accepts its tools. */
export const SERVED_TOOL_IDS: readonly string[] = ['question', 'todoread', 'todowrite', 'skill'];

/** Browser tools that a desktop provides. */
export const BROWSER_TOOLS: readonly ToolDefinition[] = [
  ...tools('inspect', {
    browser_get_state: 'Reads the page that is open.',
    browser_screenshot: 'Takes a picture of the page.',
    browser_list_tabs: 'Lists the open tabs.',
  }),
  ...tools('mutate', {
    browser_navigate: 'Opens an address in the current tab.',
    browser_open_tab: 'Opens a new tab.',
    browser_click: 'Clicks an element.',
    browser_context_click: 'Opens the context menu of an element.',
    browser_type: 'Types into an element.',
    browser_press: 'Presses a key.',
    browser_scroll: 'Scrolls the page.',
    browser_back: 'Goes back one page.',
    browser_forward: 'Goes forward one page.',
    browser_reload: 'Loads the page again.',
  }),
];

/** Tools that the runtime provides to a run. */
export const RUNTIME_TOOLS: readonly ToolDefinition[] = [
  ...tools('inspect', {
    holaboss_onboarding_status: 'Reports the progress of the workspace setup.',
    holaboss_cronjobs_list: 'Lists the schedules of the workspace.',
    holaboss_cronjobs_get: 'Shows one schedule.',
    terminal_sessions_list: 'Lists the terminal sessions.',
    terminal_session_get: 'Shows one terminal session.',
    terminal_session_read: 'Reads the output of a terminal session.',
    terminal_session_wait: 'Waits for output of a terminal session.',
  }),
  ...tools('mutate', {
    holaboss_onboarding_complete: 'Completes the workspace setup.',
    holaboss_cronjobs_create: 'Creates a schedule.',
    holaboss_cronjobs_update: 'Changes a schedule.',
    holaboss_cronjobs_delete: 'Removes a schedule.',
    image_generate: 'Generates an image.',
    download_url: 'Downloads a file into the workspace.',
    write_report: 'Writes a report as an artifact of the run.',
    terminal_session_start: 'Starts a terminal session.',
    terminal_session_send_input: 'Types into a terminal session.',
    terminal_session_signal: 'Sends a signal to a terminal session.',
    terminal_session_close: 'Ends a terminal session.',
  }),
];

/**
 * The tools of a run without other configuration. The tool map of a run is enforced, so a run that may edit files must
 * also be able to write new ones.
 */
export const DEFAULT_TOOLS: readonly string[] = [
  'read',
  'edit',
  'write',
  'bash',
  'grep',
  'glob',
  'list',
  'question',
  'todowrite',
  'todoread',
  'skill',
];

const KNOWN = new Map([...BUILTIN_TOOLS, ...BROWSER_TOOLS, ...RUNTIME_TOOLS].map((tool) => [tool.id, tool]));
const BROWSER_IDS = new Set(BROWSER_TOOLS.map((tool) => tool.id));
const RUNTIME_IDS = new Set(RUNTIME_TOOLS.map((tool) => tool.id));

/** The definition of a known tool. */
export function knownTool(id: string): ToolDefinition | undefined {
  return KNOWN.get(id);
}

export function isBrowserTool(id: string): boolean {
  return BROWSER_IDS.has(id);
}

export function isRuntimeTool(id: string): boolean {
  return RUNTIME_IDS.has(id);
}
