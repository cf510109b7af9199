/** JSON and TypeScript call it a string. */
export default {
  texts: { 'must be a text': 'must be a string' },
};
