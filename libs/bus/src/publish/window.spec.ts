import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Window } from './window.ts';

/** Model-based test: compares the window with a map of unfinished entries. */
class Model {
  readonly open = new Map<number, string>();
  next = 0;

  get oldest(): number {
    return this.open.size === 0 ? this.next : Math.min(...this.open.keys());
  }
}

interface Pair {
  readonly window: Window<string>;
}

const push = (text: string): fc.Command<Model, Pair> => ({
  check: () => true,
  run: (model, { window }) => {
    expect(window.push(text)).toBe(model.next);
    model.open.set(model.next++, text);
  },
  toString: () => `push(${text})`,
});

const finish = (number: number): fc.Command<Model, Pair> => ({
  check: () => true,
  run: (model, { window }) => {
    window.finish(number);
    model.open.delete(number);
  },
  toString: () => `finish(${number})`,
});

const look: fc.Command<Model, Pair> = {
  check: () => true,
  run: (model, { window }) => {
    expect([window.next, window.oldest, window.isEmpty]).toEqual([model.next, model.oldest, model.open.size === 0]);
    expect([...window.between(window.next)]).toEqual([...model.open]);
    for (let number = 0; number < model.next + 2; number++) expect(window.get(number)).toBe(model.open.get(number));
  },
  toString: () => 'look',
};

describe('the window', () => {
  it('numbers, keeps and drops entries like a map of unfinished entries', () => {
    const commands = [fc.string().map(push), fc.nat(40).map(finish), fc.constant(look)];
    fc.assert(
      fc.property(fc.commands(commands, { size: '+1' }), (run) => {
        fc.modelRun(() => ({ model: new Model(), real: { window: new Window<string>() } }), run);
      }),
    );
  });

  it('stays small while thousands of entries pass through', () => {
    const window = new Window<number>();
    for (let n = 0; n < 10_000; n++) {
      window.push(n);
      if (n >= 100) window.finish(n - 100);
    }
    expect([window.oldest, window.next, window.get(9_950)]).toEqual([9_900, 10_000, 9_950]);
  });
});
