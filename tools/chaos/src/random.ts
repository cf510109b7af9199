import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const PARTS = 2 ** 24;

/** Numbers that follow from a seed alone. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  /** From 0 to 1. */
  fraction(): number {
    return this.between(0, PARTS) / PARTS;
  }

  /** True as often as the probability says. */
  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.between(0, list.length - 1)];
    if (found === undefined) throw new RangeError('there is nothing to pick from');
    return found;
  }

  /** One of the list, as likely as its weight says. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T {
    let place = this.between(
      1,
      list.reduce((sum, { weight }) => sum + weight, 0),
    );
    for (const each of list) {
      place -= each.weight;
      if (place <= 0) return each;
    }
    throw new RangeError('there is nothing to pick from');
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.flatMap(() => left.splice(this.between(0, left.length - 1), 1));
  }
}
