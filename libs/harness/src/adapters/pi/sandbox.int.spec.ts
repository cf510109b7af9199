import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { repositoryRoot, tempDir } from '@reins/testing';
import { type ConformanceSubject, drive } from '../../conformance/index.ts';
import { sandboxes } from '../../testing/sandboxes.ts';
import { piAdapter } from './adapter.ts';

const TEST_MS = 60_000;
/** Random, so that no source file contains it. */
const SEED = `SUOPERATOR${randomUUID()}`;

/** An installation whose state is hidden. */
const installation = await mkdtemp(join(repositoryRoot, '.reins', 'test-installation-'));
afterAll(() => rm(installation, { recursive: true }));
const state = join(installation, '.reins', 'run', 'nats');
const seed = join(state, 'operator.nk');
await mkdir(state, { recursive: true });
await writeFile(seed, `${SEED}\n`);

const base64 = Buffer.from(seed).toString('base64');
const octal = [...Buffer.from(seed)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
const hex = Buffer.from(seed).toString('hex');

/** Commands that the check of the command's text lets through. */
const ESCAPES: Readonly<Record<string, string>> = {
  base64: `cat $(echo ${base64} | base64 -d)`,
  node: `node -e "console.log(require('fs').readFileSync(Buffer.from('${base64}','base64').toString(),'utf8'))"`,
  printf: `cat "$(printf '${octal}')"`,
  variable: `S=$(pwd | cut -c1); cat "${seed.replaceAll('/', '$' + '{S}')}"`,
  parent: 'cd "$(dirname "$PWD")" && grep -r OPERATOR . ; cd .. && grep -rs SUOPERATOR .',
  python: `python3 -c "print(open(bytes.fromhex('${hex}').decode()).read())"`,
  script: `echo '${base64}' | base64 -d > f; xargs cat < f`,
  link: `ln -s "$(echo ${base64} | base64 -d)" l; cat l`,
  processes: `for p in $(echo L3Byb2M= | base64 -d)/[0-9]*; do cat $p/root/$(echo ${base64} | base64 -d); done`,
};

async function outputsOf(commands: readonly string[], subject: Partial<ConformanceSubject>): Promise<string[]> {
  const model = await startScriptedModel({
    scenarios: {
      text: [...commands.map((command) => ({ tool: { name: 'bash', args: { command } } })), { text: 'Done.' }],
    },
  });
  const driven = await drive(
    {
      adapter: piAdapter,
      endpoint: () => ({ api: 'openai-completions', baseUrl: `${model.url}/s/text/v1`, apiKey: 'sk-test' }),
      instruction: (_scenario, text) => text,
      folder: () => tempDir('pi-sandbox'),
      ...subject,
    },
    'text',
    'Look around.',
  );
  const { result, leftover } = await driven.result();
  await model.close();
  expect(result).toMatchObject({ status: 'ok', output: 'Done.' });
  expect(leftover).toBe(0);
  return driven.events.filter(({ phase }) => phase === 'agent.tool.result').map((event) => JSON.stringify(event));
}

test(
  'without a sandbox, shell commands of pi read the state of the installation',
  async () => {
    const outputs = await outputsOf([ESCAPES.base64 as string], {});
    expect(outputs.filter((output) => output.includes(SEED))).toHaveLength(1);
  },
  TEST_MS,
);

describe.each(await sandboxes([join(installation, '.reins')]))(
  'shell commands of pi in the sandbox $isolation.backend',
  (sandbox) => {
    test(
      'do not read the state of the installation',
      async () => {
        const outputs = await outputsOf(Object.values(ESCAPES), { sandbox });
        expect(outputs).toHaveLength(Object.keys(ESCAPES).length);
        expect(outputs.filter((output) => output.includes(SEED))).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'work in their folder, and cannot write elsewhere',
      async () => {
        const other = await tempDir('other-run');
        const outputs = await outputsOf(
          [
            'echo $((6 * 7)) > kept && cat kept && node -p "6 * 7" && git --version && echo x > "$TMPDIR/file"',
            `echo x > "$(echo ${Buffer.from(join(other, 'file')).toString('base64')} | base64 -d)"`,
            'touch "$(echo L2V0Yy9yZWlucy10ZXN0 | base64 -d)"',
            `cat $(echo ${Buffer.from('/etc/passwd').toString('base64')} | base64 -d)`,
          ],
          { sandbox },
        );
        expect(outputs[0]).toContain('42\\n42\\ngit version');
        expect(outputs[3]).toContain('root:');
        await expect(readFile(join(other, 'file'))).rejects.toThrow('ENOENT');
        await expect(readFile('/etc/reins-test')).rejects.toThrow('ENOENT');
      },
      TEST_MS,
    );
  },
);
