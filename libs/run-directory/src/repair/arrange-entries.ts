import { isObject } from '@reins/contracts';
import { type Entry, hashEntry } from '@reins/journal';
import { type EntryFile, isOwnEntry, isProblem, jsonOf, numberMember, stringMember } from '../store/journal-files.ts';
import type { FolderFile } from '../store/journal-folder.ts';
import { type Branch, type ChainLink, type ExtraFile, placeChain } from './place-chain.ts';

/** The files of a journal in the order of its hash chain. */
export interface ArrangedEntries {
  /** In the order of the entries. `seq` and `ulid` are those of the entry; `name` is the one that the file has. */
  readonly files: readonly EntryFile[];
  /** Files that have the name of another entry, or not the name of an entry. */
  readonly reordered: readonly { readonly name: string; readonly version: number }[];
  readonly extras: readonly ExtraFile[];
  readonly branches: readonly Branch[];
}

/**
 * Finds the place of each file in the journal. The body of an entry has its version, and hashes that chain it to its
 * neighbours, so the name is used only for files whose body does not prove their place. Babysitter has no chain.
 * @param head the end of the journal as the stored state has it
 */
export function arrangeEntries(
  files: readonly FolderFile[],
  head: { readonly version: number; readonly hash: string } | undefined,
): ArrangedEntries {
  const intact = files.flatMap((file) => intactEntry(file) ?? []);
  const { placed, extras, branches } = placeChain(intact, head);
  const used = new Set<FolderFile>(intact.map(({ file }) => file));
  const taken = new Map<number, FolderFile>([...placed].map(([version, { file }]) => [version, file]));
  const rest: ExtraFile[] = [];
  const repeated: Placed[] = [];
  for (const file of files.filter((one) => !used.has(one)).toSorted(namedFirst)) {
    const version = placeOf(file, placed);
    const owner = version === undefined ? undefined : taken.get(version);
    if (version === undefined) rest.push({ file, why: 'not a valid entry name' });
    else if (!owner) taken.set(version, file);
    else if (intact.length === 0) repeated.push({ version, file });
    else rest.push({ file, why: `entry ${version} is in ${owner.name}`, instead: { version, name: owner.name } });
  }
  const inPlace = [...taken].map(([version, file]) => ({ version, file })).toSorted((a, b) => a.version - b.version);
  return {
    files: withNames([...inPlace, ...repeated].toSorted(inOrder), files),
    reordered: inPlace.flatMap(({ version, file }) =>
      file.named?.seq === version ? [] : [{ name: file.name, version }],
    ),
    extras: [...extras, ...rest],
    branches,
  };
}

interface Placed {
  readonly version: number;
  readonly file: FolderFile;
}

/** Two babysitter events may have the same number. */
const inOrder = (a: Placed, b: Placed): number => a.version - b.version || (a.file.name < b.file.name ? -1 : 1);

/** A file whose name is that of an entry has its place before one that only claims it. */
const namedFirst = (a: FolderFile, b: FolderFile): number => Number(!a.named) - Number(!b.named);

/** The entry in a file whose hash matches its content. */
function intactEntry(file: FolderFile): ChainLink | undefined {
  const value = jsonOf({ ...file, seq: 0, ulid: '' });
  if (isProblem(value) || !isOwnEntry(value) || !isObject(value.data)) return undefined;
  const { commit: _, ...entry } = value as unknown as Entry & { readonly commit: unknown };
  return hashEntry(entry) === entry.hash ? { file, entry } : undefined;
}

/**
 * The place of a file whose content does not prove it: where its remains fit the intact neighbours, or else where its
 * name says. A file without the name of an entry must fit.
 */
function placeOf({ named, text }: FolderFile, placed: ReadonlyMap<number, ChainLink>): number | undefined {
  const claimed = numberMember(text, 'version');
  const [hash, prev] = [stringMember(text, 'hash'), stringMember(text, 'prev')];
  const fits = (version: number): boolean =>
    !placed.has(version) &&
    ((hash !== undefined && placed.get(version + 1)?.entry.prev === hash) ||
      (prev !== undefined && prev !== '' && placed.get(version - 1)?.entry.hash === prev));
  if (claimed === undefined || claimed === named?.seq || (named && fits(named.seq))) return named?.seq;
  const isNamedTaken = named !== undefined && placed.has(named.seq) && !placed.has(claimed);
  return fits(claimed) || isNamedTaken ? claimed : named?.seq;
}

/** Gives each file the number and the ULID of its place; the ULID is in whichever name has the number. */
function withNames(arranged: readonly Placed[], files: readonly FolderFile[]): EntryFile[] {
  const ulids = new Map(files.flatMap(({ named }) => (named ? [[named.seq, named.ulid] as const] : [])));
  return arranged.map(({ version: seq, file: { name, text, named } }) => ({
    name,
    text,
    seq,
    ulid: (named?.seq === seq ? named.ulid : ulids.get(seq)) ?? '',
  }));
}
