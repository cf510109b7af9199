import type { Entry, Head } from '@reins/journal';
import type { FolderFile } from '../store/journal-folder.ts';

/** A file that is not the file of an entry: a copy, an entry of another journal, or something else. */
export interface ExtraFile {
  readonly file: FolderFile;
  readonly why: string;
  /** The entry of this journal that the file would be, and the file that has its place. */
  readonly instead?: { readonly version: number; readonly name: string };
}

/** A file with an entry whose hash matches its content. */
export interface ChainLink {
  readonly file: FolderFile;
  readonly entry: Entry;
}

/** Intact entries that continue the journal in another way. Nothing says which way is the right one. */
export interface Branch {
  /** The first entry that differs. */
  readonly version: number;
  readonly chain: Chain;
}

/** Consecutive links that follow from each other, in order. */
type Chain = readonly ChainLink[];

/**
 * Gives intact entries the places that their versions and hashes prove. The chain that contains the stored head comes
 * first, then the longest: an entry of another journal cannot continue it.
 */
export function placeChain(
  links: readonly ChainLink[],
  head: Head | undefined,
): {
  readonly placed: ReadonlyMap<number, ChainLink>;
  readonly extras: readonly ExtraFile[];
  readonly branches: readonly Branch[];
} {
  const placed = new Map<number, ChainLink>();
  const { originals, copies } = withoutCopies(links);
  const extras: ExtraFile[] = [];
  const branches: Branch[] = [];
  let hasHead = false;
  for (const { chain, isHead } of chainsOf(originals, head)) {
    const reason = refusal(chain, placed, hasHead);
    if (reason !== undefined) {
      extras.push(...chain.map((link) => extraOf(link, reason, placed)));
      const version = chain[0]?.entry.version ?? 0;
      if (isBranch(chain, placed) && !isPlacedHead(head, version, placed)) branches.push({ version, chain });
    } else for (const link of chain) placed.set(link.entry.version, link);
    hasHead ||= isHead && reason === undefined;
  }
  for (const { link, original } of copies) extras.push(extraOf(link, `it is a copy of ${original.file.name}`, placed));
  return { placed, extras, branches };
}

/** Whether a chain conflicts with the entries that are already at its places. */
const isBranch = ([first]: Chain, placed: ReadonlyMap<number, ChainLink>): boolean =>
  first !== undefined && placed.get(first.entry.version - 1)?.entry.hash === first.entry.prev;

/** Whether the stored head is among the placed entries from this version on, and so proves them. */
const isPlacedHead = (head: Head | undefined, from: number, placed: ReadonlyMap<number, ChainLink>): boolean =>
  head !== undefined && head.version >= from && placed.get(head.version)?.entry.hash === head.hash;

function extraOf({ file, entry }: ChainLink, why: string, placed: ReadonlyMap<number, ChainLink>): ExtraFile {
  const owner = placed.get(entry.version);
  return { file, why, ...(owner && { instead: { version: entry.version, name: owner.file.name } }) };
}

/** Of files with the same entry, the original is the one with its name. */
function withoutCopies(links: readonly ChainLink[]) {
  const originals = new Map<string, ChainLink>();
  const copies: { link: ChainLink; original: ChainLink }[] = [];
  for (const link of links.toSorted((a, b) => Number(!hasOwnName(a)) - Number(!hasOwnName(b)))) {
    const original = originals.get(link.entry.hash);
    if (original) copies.push({ link, original });
    else originals.set(link.entry.hash, link);
  }
  return { originals, copies };
}

const hasOwnName = ({ file: { named }, entry }: ChainLink): boolean => named?.seq === entry.version;

interface RankedChain {
  readonly chain: Chain;
  /** It contains the stored head. */
  readonly isHead: boolean;
}

/** Splits the links into chains, most trusted first. Links that two chains share belong to the first one. */
function chainsOf(links: ReadonlyMap<string, ChainLink>, head: Head | undefined): RankedChain[] {
  const ranks = new Map<string, { readonly length: number; readonly isHead: boolean }>();
  const continued = new Set<string>();
  for (const { entry } of [...links.values()].toSorted((a, b) => a.entry.version - b.entry.version)) {
    const before = isNext(links.get(entry.prev), entry) ? ranks.get(entry.prev) : undefined;
    if (before) continued.add(entry.prev);
    const isHead = before?.isHead === true || (entry.hash === head?.hash && entry.version === head.version);
    ranks.set(entry.hash, { length: (before?.length ?? 0) + 1, isHead });
  }
  const visited = new Set<string>();
  return [...ranks]
    .filter(([hash]) => !continued.has(hash))
    .toSorted(([, a], [, b]) => Number(b.isHead) - Number(a.isHead) || b.length - a.length)
    .map(([tip, { isHead }]) => ({ chain: chainTo(tip, links, visited), isHead }));
}

const isNext = (before: ChainLink | undefined, { version }: Entry): boolean => before?.entry.version === version - 1;

function chainTo(tip: string, links: ReadonlyMap<string, ChainLink>, visited: Set<string>): Chain {
  const chain: ChainLink[] = [];
  let link = links.get(tip);
  while (link && !visited.has(link.entry.hash)) {
    visited.add(link.entry.hash);
    chain.push(link);
    const before = links.get(link.entry.prev);
    link = isNext(before, link.entry) ? before : undefined;
  }
  return chain.toReversed();
}

/**
 * Why a chain does not belong to this journal; undefined when it does. A chain that fits on one side only is kept: the
 * entry on the other side was replaced, and a repair reports it.
 * @param hasHead whether the stored head is placed already, so that nothing else can be the end
 */
function refusal(chain: Chain, placed: ReadonlyMap<number, ChainLink>, hasHead: boolean): string | undefined {
  const [first, last] = [chain[0], chain.at(-1)];
  if (!first || !last) return undefined;
  if (chain.some(({ entry }) => placed.has(entry.version))) return OTHER;
  const below = placed.get(first.entry.version - 1);
  const above = placed.get(last.entry.version + 1);
  const breaksBelow = below !== undefined && below.entry.hash !== first.entry.prev;
  const breaksAbove = above !== undefined && above.entry.prev !== last.entry.hash;
  return breaksBelow && (breaksAbove || (hasHead && !above)) ? OTHER : undefined;
}

const OTHER = 'it does not belong to the hash chain of this journal';
