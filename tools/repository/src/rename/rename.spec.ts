import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rewriteText } from './rewrite.mjs';

const CONCEPT = {
  identifiers: { bury: 'deadLetter', RunBook: 'LiveRunIndex' },
  files: { 'libs/bus/src/dead/bury.ts': 'libs/bus/src/dead/dead-letter.ts' },
  texts: { 'nothing to be done': 'nothing to do', append: 'append outcome' },
};
const FILE = 'libs/bus/src/consume/consumption.ts';
const rewrite = (text: string, file = FILE): string => rewriteText(CONCEPT, file, text);

describe('renaming a concept', () => {
  it('renames identifiers, private names and properties, but not strings or longer names', () => {
    expect(rewrite("this.#bury(x.bury, { bury: 1 }); rebury(); const a = 'bury';")).toBe(
      "this.#deadLetter(x.deadLetter, { deadLetter: 1 }); rebury(); const a = 'bury';",
    );
  });

  it('renames inside template literals only what is code', () => {
    expect(rewrite(`${'`'}bury \${bury(1)}${'`'}`)).toBe(`${'`'}bury \${deadLetter(1)}${'`'}`);
  });

  it('renames distinctive names in comments and documents, and plain words only in code spans', () => {
    expect(rewrite('// A RunBook: `bury` it, do not bury it.\n')).toBe(
      '// A LiveRunIndex: `deadLetter` it, do not bury it.\n',
    );
    expect(rewrite('RunBook and `bury()`', 'docs/a.md')).toBe('LiveRunIndex and `deadLetter()`');
  });

  it('follows a renamed file in imports, links, manifests and paths', () => {
    expect(rewrite("import { a } from '../dead/bury.ts';")).toBe("import { a } from '../dead/dead-letter.ts';");
    expect(rewrite("import { a } from '../dead/other.ts';")).toBe("import { a } from '../dead/other.ts';");
    expect(rewrite('[x](src/dead/bury.ts)', 'libs/bus/README.md')).toBe('[x](src/dead/dead-letter.ts)');
    expect(rewrite('{"default": "./dist/dead/bury.js"}', 'libs/bus/package.json')).toBe(
      '{"default": "./dist/dead/dead-letter.js"}',
    );
  });

  it('leaves the code of an object prototype alone', () => {
    expect(rewrite('const bury = a.constructor.hasOwnProperty;')).toBe(
      'const deadLetter = a.constructor.hasOwnProperty;',
    );
  });

  it('gives the same text when it is applied again', () => {
    const part = fc.constantFrom(
      ...['bury', 'RunBook', 'append', 'append outcome', ' outcome', 'nothing to be done', ' ', '`'],
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const once = rewrite(parts.join(''), 'docs/a.md');
        expect(rewrite(once, 'docs/a.md')).toBe(once);
      }),
    );
  });
});

it('every rename has been applied to the whole repository', async () => {
  const main = new URL('main.mjs', import.meta.url).pathname;
  const outcome = await promisify(execFile)(process.execPath, [main, '--check']).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
  expect(`${outcome.stdout}${outcome.stderr}`).toBe('');
});
