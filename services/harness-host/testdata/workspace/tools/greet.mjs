import { words } from './words.mjs';

export function greet({ name }) {
  console.log('this must not come between the messages');
  return `${words.hello}, ${name}`;
}
greet.description = 'Greets somebody.';
greet.inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
