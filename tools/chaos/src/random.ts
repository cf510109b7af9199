import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const PARTS = 2 ** 24;

/** A seeded random number generator. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** An integer, both bounds included. */
  between(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  /** From 0 to 1. */
  fraction(): number {
    return this.between(0, PARTS) / PARTS;
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.between(0, list.length - 1)];
    if (found === undefined) throw new RangeError('cannot pick from an empty list');
    return found;
  }

  /** A random item, by weight. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T {
    let place = this.between(
      1,
      list.reduce((sum, { weight }) => sum + weight, 0),
    );
    for (const each of list) {
      place -= each.weight;
      if (place <= 0) return each;
    }
    throw new RangeError('cannot pick from an empty list');
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.flatMap(() => left.splice(this.between(0, left.length - 1), 1));
  }
}
