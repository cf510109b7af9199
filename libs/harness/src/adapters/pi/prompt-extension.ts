/** The part of pi's extension API that is used here. */
interface Pi {
  on(
    event: 'before_agent_start',
    handler: (event: { readonly systemPromptOptions: { cwd: string } }) => undefined,
  ): void;
  on(event: 'before_provider_request', handler: (event: { readonly payload: unknown }) => unknown): void;
}

/**
 * pi loads this extension into its process. It keeps the prefix of calls the same in all runs of a workspace, so that
 * the caches of providers apply: pi names its folder in the system prompt, and every run has another one. OpenAI
 * routes calls by a key, for which pi uses the id of its session.
 */
export default function stabilisePrompt(pi: Pi): void {
  const { REINS_PROMPT_KEY: key } = process.env;
  pi.on('before_agent_start', ({ systemPromptOptions }) => {
    systemPromptOptions.cwd = '.';
    return undefined;
  });
  pi.on('before_provider_request', ({ payload }) => {
    if (typeof payload !== 'object' || payload === null || !('prompt_cache_key' in payload)) return undefined;
    return payload.prompt_cache_key === undefined || key === undefined
      ? undefined
      : { ...payload, prompt_cache_key: key };
  });
}
