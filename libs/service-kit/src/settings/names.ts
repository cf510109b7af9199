/** Format of runtime, provider and host names: valid subject tokens. */
export const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether isolation by the operating system is necessary, for processes and executors. */
export const SANDBOX_RULES = ['preferred', 'required'] as const;
