/** What an in-process task receives is its context. The base URL belongs to an OpenAI-compatible endpoint. */
export default {
  in: ['libs/harness/**'],
  identifiers: { TaskParts: 'TaskContext', compatibleBase: 'openAiCompatibleBaseUrl' },
};
