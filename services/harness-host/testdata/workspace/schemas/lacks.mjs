import { text } from './shared.mjs';

export default { type: 'object', properties: { text } };
