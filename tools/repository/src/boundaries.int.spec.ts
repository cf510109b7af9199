import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
let house: string;

/** A small house with the real rules: each package by its folder, with what it declares. */
const PACKAGES: Record<string, string[]> = {
  'libs/contracts': ['@reins/journal'],
  'libs/bus': ['@reins/contracts', '@reins/testing'],
  'libs/journal': ['@reins/contracts', '@reins/bus'],
  'libs/testing': [],
  'services/gateway': ['@reins/bus', '@reins/control-bus'],
  'services/control-bus': ['@reins/journal'],
};

beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), 'reins-house-'));
  cpSync(join(ROOT, '.dependency-cruiser.mjs'), join(house, '.dependency-cruiser.mjs'));
  write(
    'package.json',
    JSON.stringify({ name: 'house', type: 'module', workspaces: ['libs/*', 'services/*', 'tools/*'] }),
  );
  mkdirSync(join(house, 'node_modules', '@reins'), { recursive: true });
  mkdirSync(join(house, 'tools'));
  symlinkSync(join(ROOT, 'node_modules', '@swc'), join(house, 'node_modules', '@swc')); // the rules import it
  for (const [folder, names] of Object.entries(PACKAGES)) {
    const name = `@reins/${folder.split('/').at(-1)}`;
    const dependencies = Object.fromEntries(names.map((each) => [each, '*']));
    const exports = { '.': { 'reins-source': './src/index.ts' } };
    write(`${folder}/package.json`, JSON.stringify({ name, type: 'module', exports, dependencies }));
    write(`${folder}/src/index.ts`, 'export const here = true;\n');
    symlinkSync(join(house, folder), join(house, 'node_modules', name));
  }
});
afterEach(() => rmSync(house, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(house, file)), { recursive: true });
  writeFileSync(join(house, file), text);
}

/** The names of the rules that are broken. */
function broken(): string[] {
  const cruiser = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cruiser, 'libs', 'services', 'tools', '--output-type', 'json'],
    {
      cwd: house,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  if (!stdout) throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string } }[] } };
  return [...new Set(summary.violations.map(({ rule }) => rule.name))].sort();
}

const imports = (from: string): string => `import { here } from '${from}';\nexport const there = here;\n`;

describe('the module boundaries', () => {
  it('let a lib use a lower one, and a test use @reins/testing', () => {
    write('libs/journal/src/a.ts', imports('@reins/bus'));
    write('libs/bus/src/a.spec.ts', imports('@reins/testing'));
    expect(broken()).toEqual([]);
  });

  it.each([
    ['a lower lib uses a higher one', 'libs/contracts/src/a.ts', '@reins/journal', 'layer-1'],
    ['a service imports a service', 'services/gateway/src/a.ts', '@reins/control-bus', 'services-stand-alone'],
    ['a package reaches into another', 'libs/journal/src/a.ts', '../../bus/src/index.ts', 'by-name-only'],
    [
      'a package imports what it does not declare',
      'services/control-bus/src/a.ts',
      '@reins/bus',
      'declared-by-control-bus',
    ],
    ['code other than a test uses @reins/testing', 'libs/bus/src/a.ts', '@reins/testing', 'testing-is-for-tests'],
    ['an import leads nowhere', 'libs/bus/src/a.ts', 'no-such-package', 'resolvable'],
  ])('refuse that %s', (_what, file, from, rule) => {
    write(file, imports(from));
    expect(broken()).toContain(rule);
  });

  it('refuse a cycle', () => {
    write('libs/bus/src/a.ts', "import { b } from './b.ts';\nexport const a = (): unknown => b;\n");
    write('libs/bus/src/b.ts', "import { a } from './a.ts';\nexport const b = (): unknown => a;\n");
    expect(broken()).toEqual(['no-cycle']);
  });

  it('refuse a cycle of types', () => {
    write('libs/bus/src/a.ts', "import type { B } from './b.ts';\nexport type A = B | undefined;\n");
    write('libs/bus/src/b.ts', "import { type A } from './a.ts';\nexport interface B {\n  readonly a: A;\n}\n");
    expect(broken()).toEqual(['no-cycle']);
  });

  it('read files with `using` declarations', () => {
    write('libs/contracts/src/a.ts', `${imports('@reins/journal')}export function f(): void {\n  using x = f();\n}\n`);
    expect(broken()).toContain('layer-1');
  });

  it('refuse a lib that is in no layer', () => {
    write('libs/new/package.json', JSON.stringify({ name: '@reins/new', dependencies: { '@reins/bus': '*' } }));
    write('libs/new/src/index.ts', imports('@reins/bus'));
    expect(broken()).toContain('lib-has-a-layer');
  });
});
