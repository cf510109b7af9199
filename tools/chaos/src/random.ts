import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const PARTS = 2 ** 24;

/** A seeded random number generator. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(mixed(seed));
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

/**
 * Spreads a seed over all bits (the finalizer of MurmurHash3). Without it, the first numbers of neighbouring seeds are
 * almost equal.
 */
function mixed(seed: number): number {
  let bits = (seed + 0x9e3779b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
