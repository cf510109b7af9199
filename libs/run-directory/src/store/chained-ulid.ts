import { hash } from 'node:crypto';
import { ReinsError } from '@reins/contracts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;
const RANDOM_LIMIT = 1n << 80n;

/** The previous entry, from which the file name of the next one follows. */
interface Predecessor {
  readonly ulid: string;
  readonly hash: string;
  readonly recordedAt: string;
}

/**
 * Returns the ULID for the file name of the next entry. It follows from the previous entry alone. So two writers that
 * continue the same journal need the same file name, and the file system lets only one of them create it. The ULID
 * always increases, even when the clock was set back.
 */
export function nextUlid(before: Predecessor): string {
  const [time, random] = parse(before.ulid);
  const recorded = Date.parse(before.recordedAt);
  if (recorded > time) return format(recorded, randomOf(before.hash));
  if (random + 1n < RANDOM_LIMIT) return format(time, random + 1n);
  if (time < MAX_TIME) return format(time + 1, 0n);
  throw new ReinsError({
    code: 'journal_corrupt',
    message: `no entry can follow the name ${before.ulid}: it is the last possible one`,
    path: 'journal',
    hint: 'Restore the names of the entries with run:repair-journal.',
  });
}

/** What ten characters of five bits hold, as far as a ULID has them. */
const MAX_TIME = 2 ** 48 - 1;

/** The ULID of the first entry. It follows from the run id, so that a run is created only once. */
export function firstUlid(runId: string): string {
  const time = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(runId) ? parse(runId)[0] : 0;
  return format(time, randomOf(runId));
}

/**
 * The time in a ULID. In an entry's file name: when the previous entry was recorded, unless the clock had been set
 * back.
 */
export function timeOf(ulid: string): number {
  return parse(ulid)[0];
}

const randomOf = (text: string): bigint => BigInt(`0x${hash('sha256', text).slice(0, 20)}`);

function parse(ulid: string): [time: number, random: bigint] {
  return [Number(decode(ulid.slice(0, TIME_CHARS))), decode(ulid.slice(TIME_CHARS))];
}

function format(time: number, random: bigint): string {
  return encode(BigInt(time), TIME_CHARS) + encode(random, RANDOM_CHARS);
}

function encode(value: bigint, length: number): string {
  let out = '';
  for (let rest = value; out.length < length; rest >>= 5n) out = `${ALPHABET[Number(rest & 31n)]}${out}`;
  return out;
}

function decode(text: string): bigint {
  let value = 0n;
  for (const char of text) value = (value << 5n) | BigInt(ALPHABET.indexOf(char));
  return value;
}
