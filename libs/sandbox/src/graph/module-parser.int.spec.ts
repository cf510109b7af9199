import { afterEach, describe, expect, test } from '@jest/globals';
import { ModuleParser } from './module-parser.ts';

const open: ModuleParser[] = [];
afterEach(async () => {
  for (const parser of open.splice(0)) await parser.close();
});

function parserOf(timeoutMs?: number, totalMs?: number): ModuleParser {
  const parser = new ModuleParser(timeoutMs, totalMs);
  open.push(parser);
  return parser;
}

const typescript = (source: string) => ({ path: '/p.ts', source, type: undefined });
const FINE = typescript(`export const a: number = 1;`);

describe('a source file', () => {
  test('that takes too long is rejected, and its owner is not blocked', async () => {
    let ticks = 0;
    const clock = setInterval(() => {
      ticks += 1;
    }, 1);
    const endless = typescript(`const f = ${'a ? (b) : c => '.repeat(40)} d;`);
    await expect(parserOf(1000).parse(endless)).rejects.toThrow('it takes more than 1000 ms to parse');
    clearInterval(clock);
    expect(ticks).toBeGreaterThan(1);
  });

  test('is refused when all files of a process take too long, also a fast one after them', async () => {
    const parser = parserOf(1000, 500);
    const endless = typescript(`const f = ${'a ? (b) : c => '.repeat(40)} d;`);
    for (const source of [endless, FINE, FINE])
      await expect(parser.parse(source)).rejects.toThrow('the files of the process take more than 500 ms to parse');
  });

  test('that breaks the parser does not break it for others', async () => {
    const parser = parserOf();
    await expect(parser.parse(typescript(`${'('.repeat(20_000)}1${')'.repeat(20_000)}`))).rejects.toThrow(SyntaxError);
    expect((await parser.parse(FINE)).code).toContain('export const a');
    expect((await parserOf().parse(FINE)).format).toBe('module');
  });

  test('is parsed even if many others are slow', async () => {
    const slow = [1, 2, 3, 4, 5, 6].map(() =>
      parserOf(500).parse(typescript(`const f = ${'a ? (b) : c => '.repeat(40)} d;`)),
    );
    await Promise.allSettled(slow);
    expect((await parserOf().parse(FINE)).format).toBe('module');
  });
});
