import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dump, load } from 'js-yaml';
import { readYaml, readYamlAll, type YamlDocument } from './document.ts';

function read(text: string): YamlDocument {
  const result = readYaml(text);
  if (!result.ok) throw new Error(result.failure.reason);
  return result.value;
}

function failure(text: string) {
  const result = readYaml(text);
  if (result.ok) throw new Error('the document was parsed without an error');
  return result.failure;
}

describe('positions', () => {
  const document = read(`a: &x
  b: 5 # comment: with a colon
  list:
    - 1
    - {q: r, alone, s: t}
  empty:
m:
  <<: *x
  "k y": |
    text
# comment
? explicit
: value
dup: [p: 1]
`);

  test.each([
    [['a'], '1:1', '1:4'],
    [['a', 'b'], '2:3', '2:6'],
    [['a', 'list', 0], '4:7', '4:7'],
    [['a', 'list', 1, 'q'], '5:8', '5:11'],
    [['a', 'list', 1, 'alone'], '5:14', '5:14'],
    [['a', 'list', 1, 's'], '5:21', '5:24'],
    [['m', 'k y'], '9:3', '9:10'],
    [['explicit'], '12:3', '13:3'],
  ] as const)('%j is at %s, its value at %s', (path, key, value) => {
    const text = ({ line, column }: { line: number; column: number }) => `${line}:${column}`;
    expect(text(document.positionOf(path, 'key'))).toBe(key);
    expect(text(document.positionOf(path))).toBe(value);
  });

  test('the position of an empty value is that of its key', () => {
    expect(document.positionOf(['a', 'empty'])).toEqual({ line: 6, column: 3 });
  });

  test('a merged or missing value has the position of the nearest existing ancestor', () => {
    expect(document.positionOf(['m', 'b'])).toEqual({ line: 7, column: 1 });
    expect(document.positionOf(['a', 'nothing', 'at', 'all'])).toEqual({ line: 1, column: 1 });
  });

  test('a byte order mark and CRLF do not change positions', () => {
    const crlf = read('\u{feff}a: 1\r\nb:\r\n  c: 2\r\n');
    expect(crlf.positionOf(['b', 'c'])).toEqual({ line: 3, column: 6 });
    expect(crlf.text.line(3)).toBe('  c: 2');
  });

  test('returns keys as they are written', () => {
    expect(read('010: a\n').keySpelling(['10'])).toBe('010');
    expect(read('"010": a\n').keySpelling(['010'])).toBe('"010"');
  });

  test('each document of a file has its own positions', () => {
    const result = readYamlAll('a: 1\n---\nb:\n  c: 2\n');
    expect(result.ok && result.value.map((each) => each.value)).toEqual([{ a: 1 }, { b: { c: 2 } }]);
    expect(result.ok && result.value[1]?.positionOf(['b', 'c'])).toEqual({ line: 4, column: 6 });
  });
});

describe('unknown aliases and tags', () => {
  test.each([
    ['a: 1\nb: {c: *nope}\n', 2, 8],
    ['a: {b: !!foo x}\n', 1, 8],
    ['a: !Ref\n  b: 1\n  c: 2\n', 1, 4],
    ['a: "!!foo"\nb: !!foo\n  - 1\n', 2, 4],
  ])('the error of %j is at its start', (text, line, column) => {
    const { position, reason } = failure(text);
    expect(position).toEqual({ line, column });
    expect(reason).toContain(`(${line}:${column})`);
  });
});

describe('limits', () => {
  test('rejects a document that is too long without parsing it', () => {
    expect(failure(`# ${'x'.repeat(10_000_000)}`)).toMatchObject({ kind: 'length' });
  });

  test.each([
    ['flow', '['.repeat(100_000)],
    ['block', Array.from({ length: 1_200 }, (_, i) => `${' '.repeat(i)}k:`).join('\n')],
    ['compact', `x:\n${'- '.repeat(100_000)}`],
  ])('rejects unlimited nesting (%s)', (_, text) => {
    expect(failure(text)).toMatchObject({ kind: 'depth' });
  });

  test('accepts 900 levels', () => {
    expect(readYaml(Array.from({ length: 900 }, (_, i) => `${' '.repeat(i)}k:`).join('\n')).ok).toBe(true);
  });

  test('rejects aliases that multiply a document', () => {
    const lines = ['a0: &a0 [x]'];
    for (let i = 1; i < 12; i += 1)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(',')}]`,
      );
    expect(failure(lines.join('\n'))).toMatchObject({ kind: 'expansion' });
  });

  test('accepts aliases that multiply only what is never read', () => {
    const bomb = (name: string, last: string) =>
      Array.from({ length: 30 }, (_, i) =>
        i === 0
          ? `${name}0: &${name}0 [x]`
          : `${i === 29 ? last : `${name}${i}`}: &${name}${i} [${`*${name}${i - 1}, `.repeat(9)}]`,
      );
    const isRead = (key: string): boolean => key === 'agents';
    const unread = readYaml([...bomb('a', 'bomb'), 'agents: {id: x}'].join('\n'), { isRead });
    expect(unread.ok && (unread.value.value as { agents: object }).agents).toEqual({ id: 'x' });
    expect(readYaml(bomb('a', 'agents').join('\n'), { isRead })).toMatchObject({ failure: { kind: 'expansion' } });
    const indirect = [...bomb('a', 'bomb'), 'agents: {id: *a28}'].join('\n');
    expect(readYaml(indirect, { isRead })).toMatchObject({ failure: { kind: 'expansion' } });
    for (const agents of ['*a28', '{id: *a28}']) {
      const merged = [...bomb('a', 'bomb'), `m: &m {agents: ${agents}}`, '<<: *m'].join('\n');
      expect(readYaml(merged, { isRead })).toMatchObject({ failure: { kind: 'expansion' } });
    }
  });

  test('rejects a long text that is repeated by aliases', () => {
    const text = `a: &a "${'x'.repeat(100_000)}"\nb: [${Array(10_000).fill('*a').join(',')}]`;
    expect(failure(text)).toMatchObject({ kind: 'expansion' });
  });

  test('rejects merging that multiplies a document', () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`).join(',');
    const text = `a: &a {${keys}}\nb: {<<: [${Array(10_000).fill('*a').join(',')}]}`;
    expect(failure(text)).toMatchObject({ kind: 'expansion' });
  });

  const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1`).join(',');

  // the parser alone would copy for seconds, or build texts of many megabytes
  test.each([
    [
      'a merged mapping that merges another one',
      `a: &a {${keys(3000)}}\nb: &b {<<: *a}\nc: {<<: [${Array(100_000).fill('*b').join(',')}]}`,
      { line: 3, column: 1006 },
    ],
    ['merging at every level', `${'{<<: '.repeat(900)}{${keys(50_000)}}${'}'.repeat(900)}`, { line: 1, column: 4406 }],
    [
      'lists as keys',
      `a: &a ${'x'.repeat(100_000)}\nb: &b [${Array(1_000).fill('*a').join(',')}]\nc: [${Array(10_000).fill('{*b : 1}').join(',')}]`,
      { line: 3, column: 6 },
    ],
    [
      'mappings that merge the one that contains them',
      `a: &a {${Array.from({ length: 40_000 }, (_, i) => `k${i}: {<<: *a}`).join(',')}}`,
      { line: 1, column: 9374 },
    ],
  ])('rejects %s before it is parsed', (_, text, position) => {
    expect(failure(text)).toMatchObject({ kind: 'expansion', position });
  });

  test('reports the syntax error of a text that may copy much and is not YAML', () => {
    const text = `a: &a {${keys(3000)}}\nb: {<<: [${Array(1000).fill('*a').join(',')}]\n`;
    expect(failure(text)).toMatchObject({ kind: 'syntax', position: { line: 3, column: 1 } });
  });

  test('accepts many aliases of a small mapping', () => {
    const uses = Array.from({ length: 5_000 }, (_, i) => `k${i}: {<<: *a, own: 1}`).join('\n');
    expect(readYaml(`a: &a {x: 1, y: 2}\n${uses}`).ok).toBe(true);
  });

  test('rejects aliases that nest a document too deeply, at the first one', () => {
    const lines = Array.from({ length: 1_500 }, (_, i) => (i === 0 ? 'a0: &a0 [x]' : `a${i}: &a${i} [*a${i - 1}]`));
    expect(failure(lines.join('\n'))).toMatchObject({ kind: 'depth', position: { line: 1000 } });
  });

  test('finds where a document is nested too deeply', () => {
    expect(failure(`a:\n  ${'['.repeat(1_100)}${']'.repeat(1_100)}`)).toMatchObject({
      kind: 'depth',
      position: { line: 2, column: 1002 },
    });
  });

  test('rejects an anchor with many aliases of itself', () => {
    expect(failure(`a: &a {${Array.from({ length: 20_000 }, (_, i) => `k${i}: *a`).join(',')}}`)).toMatchObject({
      kind: 'expansion',
    });
  });

  test('finds an alias inside its own anchor', () => {
    const infinite = read('a: &a\n  b: *a\n');
    expect(infinite.cycles).toEqual([['a', 'b']]);
    expect(infinite.positionOf(['a', 'b'])).toEqual({ line: 2, column: 6 });
    expect(read('a: &a {}\nb: *a\n').cycles).toEqual([]);
    expect(read('a: &a 2024-01-01\nb: *a\n').cycles).toEqual([]);
  });
});

test('removes one byte order mark and keeps a second one as text', () => {
  const document = read('\ufeffa: 1\nb: 2\n');
  expect(document.value).toEqual({ a: 1, b: 2 });
  expect(document.positionOf(['a'])).toEqual({ line: 1, column: 4 });
  expect(read('\ufeff\ufeffa: 1\n').value).toEqual({ '\ufeffa': 1 });
});

describe('any text', () => {
  const yamlish = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'a',
          'b: ',
          '- ',
          '\n',
          '  ',
          '[',
          ']',
          '{',
          '}',
          ',',
          ': ',
          '&x ',
          '*x',
          '"',
          "'",
          '|\n',
          '? ',
          '#',
          '<<: ',
        ),
        fc.string({ maxLength: 5, unit: 'binary' }),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

  test('is parsed as js-yaml parses it, or fails where js-yaml fails', () => {
    fc.assert(
      fc.property(yamlish, (text) => {
        const result = readYaml(text);
        let expected: unknown;
        try {
          expected = load(text);
        } catch {
          expect(result.ok).toBe(false);
          return;
        }
        if (result.ok) expect(result.value.value).toEqual(expected);
        else expect(result.failure.kind).not.toBe('syntax');
      }),
      { numRuns: 800 },
    );
  });

  test('the positions of a document point at the keys and values that they name', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 3 }), (value, flowLevel) => {
        const text = dump(value, { flowLevel, noRefs: true });
        fc.pre(isYaml(text)); // in flow style it writes texts such as `.:[` without quotes, which cannot be parsed
        const document = read(text);
        for (const path of pathsOf(document.value)) {
          const key = path.at(-1);
          if (typeof key === 'string') expect(valueAt(document, path, 'key')).toBe(key);
          const part = partAt(document.value, path);
          if (typeof part === 'number' || typeof part === 'boolean') expect(valueAt(document, path)).toBe(String(part));
          if (Array.isArray(part)) expect(textAt(document, path)[0]).toMatch(/[[-]/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function isYaml(text: string): boolean {
  try {
    load(text);
    return true;
  } catch {
    return false;
  }
}

function* pathsOf(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  yield path;
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* pathsOf(item, [...path, i]);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* pathsOf(item, [...path, key]);
  }
}

function textAt(document: YamlDocument, path: readonly (string | number)[], target: 'key' | 'value' = 'value'): string {
  const { line, column } = document.positionOf(path, target);
  const below = document.text.body.split('\n').slice(line - 1);
  return below.join('\n').slice(column - 1);
}

/** The scalar at the position of a path, as the parser reads it. */
function valueAt(document: YamlDocument, path: readonly (string | number)[], target: 'key' | 'value' = 'value') {
  const text = textAt(document, path, target);
  const ends = [...text.matchAll(/[,:\]}\n]|$/g)].map(({ index }) => text.slice(0, index));
  const key = path.at(-1);
  const expected = target === 'key' ? key : String(partAt(document.value, path));
  return ends.map(scalarOf).find((scalar) => scalar === expected);
}

function scalarOf(text: string): string | undefined {
  try {
    const value = load(text);
    return typeof value === 'object' && value !== null ? undefined : String(value);
  } catch {
    return undefined;
  }
}

const partAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce((part, segment) => (part as Record<string | number, unknown>)[segment], value);
