import { LARGE_ANSWER, SEPARATORS } from './behaviours.ts';

/** The scenarios of the conformance suite that the scripted model does not have itself. */
export const SCENARIOS: Readonly<Record<string, unknown>> = {
  json: {
    cases: [
      { when: { user: 'does not match the output schema' }, steps: [{ text: '{"outcome":"pass"}' }] },
      { steps: [{ text: 'I would say that it passes.' }] },
    ],
  },
  mcp: [
    { tool: { name: 'mcp__fixture__echo', args: { text: 'hello' } } },
    { tool: { name: 'mcp__fixture__echo', args: { text: 'bad' } } },
    { text: 'It said hello.' },
  ],
  large: [{ text: LARGE_ANSWER }],
  offered: [{ text: 'Tools: {{toolCount}}' }],
  recall: {
    cases: [
      { when: { user: 'Which word', text: 'plum' }, steps: [{ text: 'It is plum.' }] },
      { steps: [{ text: 'I do not know.' }] },
    ],
  },
  separators: [{ text: SEPARATORS }],
  sleep: [{ tool: { kind: 'shell', command: 'sleep 300' } }, { text: 'It is over.' }],
  system: {
    cases: [{ when: { text: 'You are tested.' }, steps: [{ text: 'I am tested.' }] }, { steps: [{ text: 'Why?' }] }],
  },
  prose: [{ text: 'I would say that it passes.' }],
  question: {
    cases: [
      { when: { user: 'blue' }, steps: [{ text: 'It is blue.' }] },
      {
        // Calls of the same turn are carried out; the model is not asked again.
        steps: [
          {
            tool: [
              { name: 'question', args: { question: 'Which colour?' } },
              { name: 'mcp__fixture__echo', args: { text: 'hello' } },
            ],
          },
          { status: 400 },
        ],
      },
    ],
  },
};
