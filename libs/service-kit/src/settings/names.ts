/** Format of runtime, provider and host names: valid subject tokens. */
export const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether isolation by the operating system is necessary, for processes and executors. */
export const SANDBOX_RULES = ['preferred', 'required'] as const;

/** What executors, servers and tools can connect to. */
export const NETWORKS = ['open', 'doors', 'allow-list'] as const;

/** `name`, `*.name`, an address or a network (`10.0.0.0/8`, `[fd00::1]`), each with or without `:port`. */
export const ALLOWED_DESTINATION =
  /^(?:(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?:\/\d{1,2})?|\[[0-9a-f:.]+(?:\/\d{1,3})?\])(?::\d{1,5})?$/i;
