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

  test('rejects an anchor with many aliases of itself', () => {
    expect(failure(`a: &a {${Array.from({ length: 20_000 }, (_, i) => `k${i}: *a`).join(',')}}`)).toMatchObject({
      kind: 'expansion',
    });
  });

  test('finds an alias inside its own anchor', () => {
    expect(read('a: &a\n  b: *a\n').cycles).toEqual([{ line: 2, column: 6 }]);
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

  test('every part of a document has a position within the text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 3 }), (value, flowLevel) => {
        const text = dump(value, { flowLevel });
        fc.pre(isYaml(text)); // in flow style it writes texts such as `.:[` without quotes, which cannot be parsed
        const document = read(text);
        for (const path of pathsOf(document.value)) {
          const { line, column } = document.positionOf(path);
          expect(document.text.line(line).length).toBeGreaterThanOrEqual(column - 1);
          expect(line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 150 },
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
