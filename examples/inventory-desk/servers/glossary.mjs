/** An MCP server with the glossary of the workspace. */
import { serve } from './json-rpc.mjs';

const TERMS = { harness: { de: 'Geschirr', fr: 'harnais' }, rein: { de: 'Zügel', fr: 'rêne' } };

await serve('glossary', {
  look_up: {
    description: 'The agreed translation of a term.',
    inputSchema: {
      type: 'object',
      properties: { term: { type: 'string' }, language: { type: 'string', examples: ['de', 'fr'] } },
      required: ['term', 'language'],
    },
    annotations: { readOnlyHint: true },
    run({ term, language }) {
      const translation = Object.hasOwn(TERMS, term) ? TERMS[term][language] : undefined;
      return translation ?? `no translation of '${term}' was agreed on`;
    },
  },
});
