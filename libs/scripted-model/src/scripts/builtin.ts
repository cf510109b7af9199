import { quickstart } from './quickstart.ts';
import type { Script, Step } from './script.ts';

const LONG_TEXT = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

const step = (only: Step): Script => [only];

/** The built-in scripts by scenario name. */
export const BUILTIN_SCRIPTS: Readonly<Record<string, Script>> = {
  quickstart,
  write: [
    { thinking: 'I should write the file.', text: 'Writing the file.', tool: { kind: 'write' } },
    { text: 'Done: wrote {{file}}.' },
  ],
  shell: [{ tool: { kind: 'shell' } }, { text: 'Done: ran the command.' }],
  text: step({ text: 'Hello from the scripted model.' }),
  think: step({ thinking: 'First I think.', text: 'Then I answer.' }),
  mcp: [
    { tool: { name: '/(^|_|\\.|\\b)echo$/i', args: { message: 'ping-from-model' } } },
    { text: 'Done: the MCP tool answered.' },
  ],
  parallel: [{ tool: [{ kind: 'write' }, { kind: 'shell' }] }, { text: 'Done: wrote {{file}} and ran the command.' }],
  loop: Array.from({ length: 50 }, (): Step => ({ tool: { kind: 'shell' } })),
  slow: step({ text: LONG_TEXT, chunkMs: 250 }),
  hang: step({ hang: true }),
  cut: step({ text: LONG_TEXT, cut: true }),
  garbage: step({ garbage: true }),
  e400: step({ status: 400 }),
  e401: step({ status: 401 }),
  e403: step({ status: 403 }),
  e404: step({ status: 404 }),
  e429: step({ status: 429, retryAfter: 1 }),
  e500: step({ status: 500 }),
  e529: step({ status: 529 }),
  flaky: step({ status: 500, failFirst: 2, text: 'Recovered after two errors.' }),
};
