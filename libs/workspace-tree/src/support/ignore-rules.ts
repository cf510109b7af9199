import ignore, { type Ignore } from 'ignore';

export const IGNORE_FILE = '.reinsignore';

/**
 * What is left out of a tree, by the rules of gitignore: each folder's `.reinsignore` speaks for what lies below it, a
 * deeper one wins over a higher one, a later line over an earlier one, and what lies in a folder that is left out cannot be
 * brought back.
 */
export class IgnoreRules {
  /** Rules by the folder that they were found in; the root is the empty string. */
  readonly #byFolder = new Map<string, Ignore>();
  readonly #always: Ignore | undefined;

  /** Patterns of the caller, relative to the root; nothing brings back what they leave out. */
  constructor(always: readonly string[] = []) {
    this.#always = always.length > 0 ? newRules().add(always) : undefined;
  }

  /** Adds the text of a folder's ignore file. */
  add(folder: string, text: string): void {
    this.#byFolder.set(folder, newRules().add(text));
  }

  /** Whether this path, which is not inside a folder that is left out, is left out itself. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const name = isFolder ? `${path}/` : path;
    if (this.#always?.test(name).ignored) return true;
    let folder = parentOf(path);
    while (folder !== undefined) {
      const rules = this.#byFolder.get(folder);
      if (rules) {
        const verdict = rules.test(folder === '' ? name : name.slice(folder.length + 1));
        if (verdict.ignored) return true;
        if (verdict.unignored) return false;
      }
      folder = parentOf(folder);
    }
    return false;
  }

  /** The same for a path of which nothing is known yet: asks for each of its folders first. */
  isFileIgnored(path: string): boolean {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (this.isIgnored(path.slice(0, end), true)) return true;
    }
    return this.isIgnored(path, false);
  }
}

/** Names are told apart by their case here, as they are on the systems that trees are captured on. */
function newRules(): Ignore {
  return ignore({ ignoreCase: false, allowRelativePaths: true });
}

/** The folder that a path lies in; the root's is undefined. */
function parentOf(path: string): string | undefined {
  if (path === '') return undefined;
  const end = path.lastIndexOf('/');
  return end < 0 ? '' : path.slice(0, end);
}
