import type { AllowedFolders, boundaryViolation } from '../../files/work-boundary.ts';

/** The part of pi's extension API that is used here. */
interface Pi {
  on(
    event: 'tool_call',
    handler: (call: {
      readonly toolName: string;
      readonly input: unknown;
    }) => Promise<{ readonly block: true; readonly reason: string } | undefined>,
  ): void;
}

/**
 * pi loads this extension into its process. It restricts pi's own tools to the folder of the run. It has no static
 * imports, because pi loads it with its own loader; the rules are loaded at the first call.
 */
export default function restrictToFolders(pi: Pi): void {
  const { TMPDIR } = process.env;
  const folders: AllowedFolders = TMPDIR ? [process.cwd(), TMPDIR] : [process.cwd()];
  pi.on('tool_call', async ({ toolName, input }) => {
    const reason = (await rules()).boundaryViolation({ tool: toolName, input }, folders);
    if (reason === undefined) return undefined;
    return { block: true, reason: `permission denied by workspace boundary policy: ${reason}. ${ADVICE}` };
  });
}

const ADVICE = 'Use only paths in the working directory. Only the author of the request can allow other paths.';

function rules(): Promise<{ boundaryViolation: typeof boundaryViolation }> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return import(new URL(`../../files/work-boundary.${extension}`, import.meta.url).href);
}
