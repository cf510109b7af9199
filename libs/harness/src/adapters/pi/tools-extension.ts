import { readFileSync } from 'node:fs';
import type { OfferedTool } from '../../contract.ts';
import type { questionOf } from '../../tools/question.ts';
import type { ToolClient, ToolEndpoint } from '../../tools/tool-client.ts';

/** The settings that the adapter passes to this extension in an environment variable. */
interface ExtensionSettings {
  /** The file with the tools of each endpoint. */
  readonly file: string;
  readonly endpoints: readonly Omit<ToolEndpoint, 'tools'>[];
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
    ): Promise<{
      readonly content: readonly PiContent[];
      readonly details: { readonly question?: string };
      /** Whether the agent stops after this call. */
      readonly terminate?: boolean;
    }>;
  }): void;
}

const STARTS_WITH_ERROR = /^\w*Error\b/;

/**
 * pi loads this extension into its process. It registers the tools that are served to the run and forwards their
 * calls. It has no static imports of this package, because pi loads it with its own loader; the client is loaded at
 * the first call.
 */
export default function registerServedTools(pi: Pi): void {
  const { file, endpoints, timeoutMs } = takeSettings();
  const tools = JSON.parse(readFileSync(file, 'utf8')) as readonly (readonly OfferedTool[])[];
  const servers = endpoints.map((endpoint, index) => ({ ...endpoint, tools: tools[index] ?? [] }));
  let connected: Promise<ToolClient> | undefined;
  for (const { name, description, parameters } of tools.flat()) {
    pi.registerTool({
      name,
      label: name,
      description,
      parameters,
      execute: async (callId, args, signal) => {
        connected ??= connect(servers);
        const client = await connected;
        const result = await client.call(name, args, { timeoutMs, callId, ...(signal && { signal }) });
        const blocks = result.content.map(contentOf);
        if (result.isError === true) throw new Error(failureText(blocks));
        const question = (await load<{ questionOf: typeof questionOf }>('question')).questionOf(result);
        if (question === undefined) return { content: blocks, details: {} };
        return { content: blocks, details: { question }, terminate: true };
      },
    });
  }
}

/** pi passes only the text to the model, because the protocols of OpenAI have no field for a failure. */
function failureText(blocks: readonly PiContent[]): string {
  const text = blocks.map(({ text = '' }) => text).join('\n');
  return STARTS_WITH_ERROR.test(text) ? text : `Error: ${text}`;
}

/** Reads and removes the variable: processes that pi starts later, such as a shell, must not see the token. */
function takeSettings(): ExtensionSettings {
  const settings = process.env.REINS_RUN_TOOLS ?? '{}';
  delete process.env.REINS_RUN_TOOLS;
  return JSON.parse(settings) as ExtensionSettings;
}

async function connect(servers: readonly ToolEndpoint[]): Promise<ToolClient> {
  return (await load<{ ToolClient: typeof ToolClient }>('tool-client')).ToolClient.connect(servers);
}

/** Loads a module of the folder `tools`. */
function load<T>(name: string): Promise<T> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return import(new URL(`../../tools/${name}.${extension}`, import.meta.url).href);
}

function contentOf(block: { type: string; text?: unknown; data?: unknown; mimeType?: unknown }): PiContent {
  if (block.type === 'image' && typeof block.data === 'string' && typeof block.mimeType === 'string')
    return { type: 'image', data: block.data, mimeType: block.mimeType };
  return { type: 'text', text: typeof block.text === 'string' ? block.text : `(${block.type})` };
}
