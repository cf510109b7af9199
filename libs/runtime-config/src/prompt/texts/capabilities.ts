/** Texts about the tools of a run. `{…}` is replaced with values; lines that do not apply are omitted. */
export const CAPABILITY_TEXT = {
  intro: 'What this run has:',
  tools: '- Tools that look: {inspect}. Tools that change: {mutate}. Tools that coordinate: {coordinate}.',
  noTools: '- No tools were staged by the runtime; use what your executor itself offers.',
  mcpExplicit: '- MCP tools allowed by name: {tools}. Of these servers, nothing else is available.',
  mcpDiscovered:
    '- Connected MCP servers whose tools are found when the run starts: {servers}. The names of their tools start with {prefixes}.',
  mcpMixed: '- Some MCP servers offer only named tools, others everything they have; both are available.',
  mcpNone: '- No MCP server is connected.',
  skills:
    '- Skills of this workspace. Before you do work that a skill covers, load it with the skill tool if you have it, else read its file:\n{skills}',
  commands:
    '- Workspace commands: {commands}. Each is a text, commands/<name>.md. A request that starts with a command contains its text. When the user names one elsewhere, read it and do what it says. They are no tools.',
  scratchpad:
    '- Notes for later: write what later stages and requests of this session must know to {path} in the working directory. Their prompts include its beginning.',
  browser: '- A browser is attached. Look at the page state before you click or type, and again after it.',
  terminal:
    '- For commands that run long or need input, use the terminal session tools; for everything else the shell tool.',
  cronjobs: '- Schedules are made and changed with the cronjob tools, never by editing files.',
  downloads: '- Fetch a file from the web with the download tool, so that it is recorded.',
  gated:
    '- These tools are gated: {tools}. A skill opens those that it grants, when the user selects it or you load it. Calls of the others are refused. A refusal is an answer; do not work around it.',
} as const;

/** The introduction of the gated tools that the user opened. */
export const GRANTED_TOOLS = 'Gated tools that the user opened for this run with these skills:';
