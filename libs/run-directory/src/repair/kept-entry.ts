import type { DatedDraft } from '@reins/journal';
import type { EntryFile } from '../store/journal-files.ts';
import type { RecoveredEntry } from './entry-recovery.ts';

/** A file whose content the repair does not keep, and why. */
export interface Dropped {
  readonly name: string;
  readonly why: string;
  /** Set for an entry that can be read but is not valid at its place; absent when the file cannot be read. */
  readonly type?: string;
}

/** An entry that the repair keeps, and the file whose place it has. */
export interface KeptEntry extends DatedDraft {
  readonly file: EntryFile;
  /** Set when the entry was recovered from other files of the run directory. */
  readonly recovered?: RecoveredEntry;
  /** The entry's own file is missing or cannot be read. */
  readonly isLost?: boolean;
  /** The entry's own file was changed, and nothing proves the content that is kept. */
  readonly isUnproven?: boolean;
  /** The file of another intact entry in its place. Nothing says which of them is the right one. */
  readonly rival?: string;
}
