import { readFileSync } from 'node:fs';
import type { OfferedTool, ToolClient, ToolEndpoint } from '../../tools/tool-client.ts';

/** The settings that the adapter passes to this extension in an environment variable. */
interface ExtensionSettings {
  readonly file: string;
  readonly endpoints: readonly ToolEndpoint[];
  readonly timeoutMs: number;
}

interface PiContent {
  readonly type: 'text' | 'image';
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** The part of pi's extension API that is used here. */
interface Pi {
  registerTool(tool: {
    readonly name: string;
    readonly label: string;
    readonly description: string;
    readonly parameters: object;
    execute(
      callId: string,
      args: Record<string, unknown>,
      signal?: AbortSignal,
    ): Promise<{ readonly content: readonly PiContent[]; readonly details: object }>;
  }): void;
}

/**
 * pi loads this extension into its process. It registers the tools that are served to the run and forwards their
 * calls. It has no static imports of this package, because pi loads it with its own loader; the client is loaded at
 * the first call.
 */
export default function registerServedTools(pi: Pi): void {
  const { file, endpoints, timeoutMs } = takeSettings();
  let connected: Promise<ToolClient> | undefined;
  for (const { name, description, parameters } of JSON.parse(readFileSync(file, 'utf8')) as readonly OfferedTool[]) {
    pi.registerTool({
      name,
      label: name,
      description,
      parameters,
      execute: async (_callId, args, signal) => {
        connected ??= connect(endpoints);
        const client = await connected;
        const { content, isError } = await client.call(name, args, { timeoutMs, ...(signal && { signal }) });
        const blocks = content.map(contentOf);
        if (isError === true) throw new Error(blocks.map(({ text = '' }) => text).join('\n'));
        return { content: blocks, details: {} };
      },
    });
  }
}

/** Reads and removes the variable: processes that pi starts later, such as a shell, must not see the token. */
function takeSettings(): ExtensionSettings {
  const settings = process.env.REINS_RUN_TOOLS ?? '{}';
  delete process.env.REINS_RUN_TOOLS;
  return JSON.parse(settings) as ExtensionSettings;
}

async function connect(endpoints: readonly ToolEndpoint[]): Promise<ToolClient> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const module = (await import(new URL(`../../tools/tool-client.${extension}`, import.meta.url).href)) as {
    ToolClient: typeof ToolClient;
  };
  return module.ToolClient.connect(endpoints);
}

function contentOf(block: { type: string; text?: unknown; data?: unknown; mimeType?: unknown }): PiContent {
  if (block.type === 'image' && typeof block.data === 'string' && typeof block.mimeType === 'string')
    return { type: 'image', data: block.data, mimeType: block.mimeType };
  return { type: 'text', text: typeof block.text === 'string' ? block.text : `(${block.type})` };
}
