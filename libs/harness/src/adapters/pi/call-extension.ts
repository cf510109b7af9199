import type { CallDecisions } from '../../contract.ts';
import type { AllowedFolders, boundaryViolation } from '../../files/work-boundary.ts';
import type * as host from '../../tools/ask-host.ts';
import type * as decisions from '../../tools/decide-call.ts';

/** What the adapter passes to this extension in an environment variable. */
export interface CallSettings {
  /** The names of all tools of the run. */
  readonly tools: readonly string[];
  /** Whether pi's own tools may use only the folders of the run. */
  readonly isConfined: boolean;
  /** The tools of pi itself. The host decides about the others when they are called. */
  readonly builtIn?: readonly string[];
  /** Where the host decides about pi's own tools. It has a token. */
  readonly callDecisions?: CallDecisions | undefined;
}

/** The variable with the `CallSettings` as JSON. */
export const CALLS_VARIABLE = 'REINS_RUN_CALLS';

/** The part of pi's extension API that is used here. */
interface Pi {
  on(
    event: 'tool_call',
    handler: (call: {
      readonly toolCallId?: string;
      readonly toolName: string;
      readonly input: unknown;
    }) => Promise<{ readonly block: true; readonly reason: string } | undefined>,
  ): void;
}

/**
 * pi loads this extension into its process. It decides about every call before pi executes it. It has no static imports,
 * because pi loads it with its own loader; the rules are loaded at the first call.
 */
export default function decideCalls(pi: Pi): void {
  const { TMPDIR, [CALLS_VARIABLE]: settings = '{"tools":[],"isConfined":true}' } = process.env;
  // Processes that pi starts later, such as a shell, must not see the token.
  delete process.env[CALLS_VARIABLE];
  const { tools, isConfined, builtIn = [], callDecisions } = JSON.parse(settings) as CallSettings;
  const folders: AllowedFolders = TMPDIR ? [process.cwd(), TMPDIR] : [process.cwd()];
  const policy = { has: (tool: string) => tools.includes(tool), needsApproval: () => false };
  pi.on('tool_call', async ({ toolName, input, toolCallId }) => {
    const { decideCall, refusalOf } = await load<typeof decisions>('tools/decide-call');
    const refusal = refusalOf(decideCall(toolName, policy));
    if (refusal !== undefined) return { block: true, reason: refusal };
    if (builtIn.includes(toolName)) {
      const { refusedByHost } = await load<typeof host>('tools/ask-host');
      const call = { tool: toolName, args: input, ...(toolCallId && { callId: toolCallId }) };
      const refused = await refusedByHost(callDecisions, call);
      if (refused !== undefined) return { block: true, reason: refused };
    }
    if (!isConfined) return undefined;
    const rules = await load<{ boundaryViolation: typeof boundaryViolation }>('files/work-boundary');
    const reason = rules.boundaryViolation({ tool: toolName, input }, folders);
    if (reason === undefined) return undefined;
    return { block: true, reason: `permission denied by workspace boundary policy: ${reason}. ${ADVICE}` };
  });
}

const ADVICE = 'Use only paths in the working directory. Only the author of the request can allow other paths.';

/** Loads a module of this package. */
function load<T>(name: string): Promise<T> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return import(new URL(`../../${name}.${extension}`, import.meta.url).href);
}
