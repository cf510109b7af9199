/** A workspace tool that counts the words of a text. */
export function countWords({ text }) {
  return {
    words: String(text)
      .split(/\s+/)
      .filter((word) => word !== '').length,
  };
}
countWords.description = 'How many words a text has.';
countWords.inputSchema = { properties: { text: { type: 'string' } }, required: ['text'] };
countWords.annotations = { readOnlyHint: true };
