import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

/** One damage to the folder of a journal. The numbers choose files and places in them. */
export interface Damage {
  readonly kind: keyof typeof KEEPING | keyof typeof LOSING;
  readonly at: number;
  readonly other: number;
  readonly bit: number;
}

/** Damage after which the body of every entry is still in the folder. */
const KEEPING = {
  swapNames: (dir: string, { at, other }: Damage) => rotate(dir, [at, other]),
  swapContents: (dir: string, { at, other }: Damage) => {
    const [a, b] = [entryAt(dir, at), entryAt(dir, other)];
    const text = readFileSync(a);
    writeFileSync(a, readFileSync(b));
    writeFileSync(b, text);
  },
  rotateThree: (dir: string, { at, other, bit }: Damage) => rotate(dir, [at, other, bit]),
  copyAsEntry: (dir: string, { at, other }: Damage) => copyFileSync(entryAt(dir, at), freeEntry(dir, other % 40)),
  copyAsStray: (dir: string, { at }: Damage) => copyFileSync(entryAt(dir, at), `${freeEntry(dir, at % 40)} copy`),
  strayFile: (dir: string) => writeFileSync(join(dir, '.DS_Store'), 'x'),
  strayFolder: (dir: string, { at }: Damage) => mkdirSync(freeEntry(dir, at % 40)),
  danglingLink: (dir: string, { at }: Damage) => symlinkSync('nowhere', freeEntry(dir, at % 40)),
  rename: (dir: string, { at, other }: Damage) =>
    renameSync(entryAt(dir, at), `${freeEntry(dir, other % 1000)}${other % 2 === 0 ? '' : '.bak'}`),
} satisfies Record<string, (dir: string, damage: Damage) => void>;

/** Damage that changes or removes the body of an entry, or another file of the run. */
const LOSING = {
  flip: (dir: string, { at, other, bit }: Damage) => flip(entryAt(dir, at), other, bit),
  truncate: (dir: string, { at, other }: Damage) => truncate(entryAt(dir, at), other),
  remove: (dir: string, { at }: Damage) => rmSync(entryAt(dir, at)),
  flipOther: (dir: string, { at, other, bit }: Damage) => flip(otherAt(dir, at), other, bit),
  truncateOther: (dir: string, { at, other }: Damage) => truncate(otherAt(dir, at), other),
  removeOther: (dir: string, { at }: Damage) => rmSync(otherAt(dir, at), { force: true }),
} satisfies Record<string, (dir: string, damage: Damage) => void>;

function flip(path: string, at: number, bit: number): void {
  const bytes = readFileSync(path);
  const place = at % Math.max(1, bytes.length);
  if (bytes.length > 0) bytes[place] = (bytes[place] as number) ^ (1 << (bit & 7));
  writeFileSync(path, bytes);
}

function truncate(path: string, at: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, at % Math.max(1, bytes.length)));
}

/** The path of a file that is not in the journal. */
function otherAt(dir: string, at: number): string {
  const root = dirname(dir);
  const others = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(dir))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  return others[at % others.length] ?? '';
}

const entryNames = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith('0'))
    .map(({ name }) => name)
    .toSorted();

/** The path of a file that was an entry's. */
function entryAt(dir: string, at: number): string {
  const names = entryNames(dir);
  return join(dir, names[at % names.length] ?? '');
}

let made = 0;
/** A path with the number of an entry, which does not exist yet. */
function freeEntry(dir: string, number: number): string {
  made += 1;
  const ulid = String(made).padStart(25, '0');
  return join(dir, `${String(number + 1).padStart(6, '0')}.7${ulid}.json`);
}

/** Gives each of these files the name of the next one. */
function rotate(dir: string, numbers: readonly number[]): void {
  const paths = [...new Set(numbers.map((at) => entryAt(dir, at)))];
  const texts = paths.map((path) => readFileSync(path));
  for (const [i, path] of paths.entries()) writeFileSync(path, texts[(i + 1) % texts.length] as Buffer);
}

const damageOf = (kinds: readonly Damage['kind'][]): fc.Arbitrary<Damage> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.nat(1_000_000),
    other: fc.nat(1_000_000),
    bit: fc.nat(1_000_000),
  });

/** One to three damages, none of which loses the body of an entry. */
export const keepingDamages = fc.array(damageOf(Object.keys(KEEPING) as Damage['kind'][]), {
  minLength: 1,
  maxLength: 3,
});

/** One to three damages of any kind. */
export const damages = fc.array(
  damageOf([...Object.keys(KEEPING), ...Object.keys(LOSING), ...Object.keys(LOSING)] as Damage['kind'][]),
  { minLength: 1, maxLength: 3 },
);

/** Damages the folder of a journal. */
export function damage(dir: string, all: readonly Damage[]): void {
  for (const one of all) ({ ...KEEPING, ...LOSING })[one.kind](dir, one);
}
