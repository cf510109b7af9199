import { asList, asObject, asText, type JsonObject } from '../json.ts';
import type { OfferedTool } from '../model.ts';
import { matchesName } from './pattern.ts';
import type { ToolUse } from './script.ts';
import { fillJson, fillText, type Values } from './values.ts';

/** An offered tool and the arguments of its call. */
export interface MatchedCall {
  readonly tool: OfferedTool;
  readonly args: JsonObject | string;
}

const WRITE_TOOLS = ['write', 'write_file', 'create_file', 'apply_patch'];
const SHELL_TOOLS = [
  'terminal',
  'bash',
  'shell',
  'exec_command',
  'shell_command',
  'run_shell_command',
  'execute',
  'exec',
  'run_command',
];
const PATH_KEYS = ['file_path', 'filePath', 'absolute_path', 'path', 'filename'];
const CONTENT_KEYS = ['content', 'contents', 'text', 'file_text'];
const COMMAND_KEYS = ['command', 'cmd', 'script'];

/** Maps a scripted call to an offered tool; undefined when none matches. */
export function matchCall(tools: readonly OfferedTool[], use: ToolUse, values: Values): MatchedCall | undefined {
  if ('name' in use) return namedCall(tools, use, values);
  if (use.kind === 'write') {
    const file = fillText(use.file ?? '{{file}}', values);
    return writeCall(tools, file, fillText(use.content ?? '{{content}}\n', values));
  }
  return shellCall(tools, fillText(use.command ?? '{{command}}', values));
}

function firstOf(tools: readonly OfferedTool[], wanted: readonly string[]): OfferedTool | undefined {
  for (const name of wanted) {
    const tool = tools.find((candidate) => candidate.name.toLowerCase() === name);
    if (tool) return tool;
  }
  return undefined;
}

function writeCall(tools: readonly OfferedTool[], file: string, content: string): MatchedCall | undefined {
  const tool = firstOf(tools, WRITE_TOOLS);
  if (!tool) return shellCall(tools, `printf '%s' ${shellQuoted(content)} > ${shellQuoted(file)}`);
  if (tool.name.toLowerCase() === 'apply_patch') {
    const patch = addFilePatch(file, content);
    return { tool, args: tool.freeform ? patch : { input: patch } };
  }
  const keys = Object.keys(propertiesOf(tool));
  const pathKey = PATH_KEYS.find((key) => keys.includes(key)) ?? 'path';
  const contentKey = CONTENT_KEYS.find((key) => keys.includes(key)) ?? 'content';
  return { tool, args: { [pathKey]: file, [contentKey]: content } };
}

/** A patch for `apply_patch`, which supports only whole lines. */
function addFilePatch(file: string, content: string): string {
  const lines = content.replace(/\n$/, '').split('\n');
  return [`*** Begin Patch`, `*** Add File: ${file}`, ...lines.map((line) => `+${line}`), '*** End Patch', ''].join(
    '\n',
  );
}

function shellCall(tools: readonly OfferedTool[], command: string): MatchedCall | undefined {
  const tool = firstOf(tools, SHELL_TOOLS);
  if (!tool) return undefined;
  // A code-mode tool takes a program instead of JSON arguments.
  if (tool.freeform) return { tool, args: codeModeProgram(command) };
  const properties = propertiesOf(tool);
  const key = COMMAND_KEYS.find((name) => name in properties) ?? 'command';
  const asArray = asObject(properties[key]).type === 'array';
  const required = asList(tool.schema?.required).flatMap((name) => asText(name) ?? []);
  const rest = Object.fromEntries(required.filter((name) => name !== key).map((name) => [name, 'scripted']));
  return { tool, args: { ...rest, [key]: asArray ? ['bash', '-lc', command] : command } };
}

function codeModeProgram(command: string): string {
  return `const r = await tools.exec_command({cmd: ${JSON.stringify(command)}});\ntext(r.output ?? JSON.stringify(r));\n`;
}

function namedCall(
  tools: readonly OfferedTool[],
  use: Extract<ToolUse, { name: string }>,
  values: Values,
): MatchedCall | undefined {
  const tool = tools.find((candidate) => matchesName(use.name, candidate.name));
  if (!tool) return undefined;
  if (typeof use.args === 'string') return { tool, args: fillText(use.args, values) };
  return { tool, args: asObject(fillJson(use.args ?? {}, values)) };
}

function propertiesOf(tool: OfferedTool): JsonObject {
  return asObject(tool.schema?.properties);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
