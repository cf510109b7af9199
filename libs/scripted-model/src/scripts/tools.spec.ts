import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { asObject, type JsonObject } from '../json.ts';
import type { OfferedTool } from '../model.ts';
import { parseScript, type Step, type ToolUse } from './script.ts';
import { matchCall } from './tools.ts';

const VALUES = { file: 'a.txt', content: 'text', command: 'ls', toolCount: 1, tools: '', result: '' };
const tool = (name: string, properties: JsonObject = {}, more: JsonObject = {}): OfferedTool => ({
  name,
  schema: { properties, ...more },
  freeform: false,
});
const argsOf = (offered: OfferedTool, use: Parameters<typeof matchCall>[1]): unknown =>
  matchCall([tool('other'), offered], use, VALUES)?.args;

describe('matchCall', () => {
  it.each([
    [tool('write', { path: {}, content: {} }), { path: 'a.txt', content: 'text\n' }],
    [tool('Write', { file_path: {}, content: {} }), { file_path: 'a.txt', content: 'text\n' }],
    [tool('create_file', { filePath: {}, file_text: {} }), { filePath: 'a.txt', file_text: 'text\n' }],
    [tool('apply_patch'), { input: '*** Begin Patch\n*** Add File: a.txt\n+text\n*** End Patch\n' }],
    [tool('bash', { command: {} }), { command: "printf '%s' 'text\n' > 'a.txt'" }],
  ])('writes with $name', (offered, args) => expect(argsOf(offered, { kind: 'write' })).toEqual(args));

  it.each([
    [tool('bash', { command: {} }), { command: 'ls' }],
    [tool('exec_command', { cmd: {} }), { cmd: 'ls' }],
    [tool('shell', { command: { type: 'array' } }), { command: ['bash', '-lc', 'ls'] }],
    [
      tool('run_shell_command', { command: {} }, { required: ['command', 'description'] }),
      { command: 'ls', description: 'scripted' },
    ],
  ])('runs a command with $name', (offered, args) => expect(argsOf(offered, { kind: 'shell' })).toEqual(args));

  it('wraps the command in a script if the tool takes free-form code', () => {
    const args = argsOf({ name: 'exec', freeform: true }, { kind: 'shell', command: 'echo "{{file}}"' });
    expect(args).toMatch(/^const r = await tools\.exec_command\(\{cmd: "echo \\"a\.txt\\""\}\)/);
  });

  it('replaces placeholders only in string values, not in keys or other types', () => {
    const args = { path: '{{file}}', deep: [{ '{{file}}': '{{content}} {{toolCount}} {{other}}' }, 1, null] };
    expect(argsOf(tool('mcp__x__echo'), { name: '/_echo$/', args })).toEqual({
      path: 'a.txt',
      deep: [{ '{{file}}': 'text 1 {{other}}' }, 1, null],
    });
  });

  it('accepts any argument names', () => {
    const text = '{"__proto__":{"a":1},"constructor":2}';
    const [step] = parseScript('x', [{ tool: { name: 'echo', args: JSON.parse(text) } }]) as Step[];
    expect(JSON.stringify(argsOf(tool('echo'), step?.tool as ToolUse))).toBe(text);
  });

  it('returns undefined when no tool matches', () => {
    expect(matchCall([tool('other')], { kind: 'write' }, VALUES)).toBeUndefined();
    expect(matchCall([tool('echoes')], { name: 'echo' }, VALUES)).toBeUndefined();
  });

  it('writes exactly the requested content through a shell', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reins-script-'));
    const content = fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '%', '\n', 'a', ' ', 'ü') });
    try {
      fc.assert(
        fc.property(content, (text) => {
          const file = join(folder, "it's a file");
          const args = argsOf(tool('bash', { command: {} }), { kind: 'write', file, content: text });
          execFileSync('sh', ['-c', String(asObject(args).command)]);
          expect(readFileSync(file, 'utf8')).toBe(text);
        }),
        { numRuns: 40 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
