/** An MCP server that searches the handbook: the Markdown files in handbook/. */
import { readdir, readFile } from 'node:fs/promises';
import { serve } from './json-rpc.mjs';

const FOLDER = new URL('../handbook/', import.meta.url);

async function pages() {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(names.map(async (page) => ({ page, text: await readFile(new URL(page, FOLDER), 'utf8') })));
}

await serve('handbook', {
  search: {
    description: 'The pages of the handbook that hold a word.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    annotations: { readOnlyHint: true },
    async run({ query = '' }) {
      const word = String(query).toLowerCase();
      return (await pages()).filter(({ text }) => text.toLowerCase().includes(word));
    },
  },
  list: {
    description: 'The names of all pages. The allowlist does not name it, so no run sees it.',
    inputSchema: { type: 'object', properties: {} },
    run: async () => (await pages()).map(({ page }) => page),
  },
});
