import ignore, { type Ignore } from 'ignore';

export const IGNORE_FILE = '.reinsignore';

/**
 * Decides which paths are ignored, by the rules of gitignore. The `.reinsignore` of a folder applies to everything
 * below it. A deeper file takes precedence over a higher one, and a later line over an earlier one. Nothing in an
 * ignored folder can be re-included.
 */
export class IgnoreRules {
  /** Rules by the folder of their file; the root is the empty string. */
  readonly #byFolder = new Map<string, Ignore>();
  readonly #always: Ignore | undefined;

  /** Patterns of the caller, relative to the root. Ignore files cannot re-include what they exclude. */
  constructor(always: readonly string[] = []) {
    this.#always = always.length > 0 ? newRules().add(always) : undefined;
  }

  /** Adds the text of a folder's ignore file. */
  add(folder: string, text: string): void {
    this.#byFolder.set(folder, newRules().add(text));
  }

  /** Whether this path is ignored. Its parent folders must not be ignored. */
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

  /** Like `isIgnored`, but checks the parent folders of the path first. */
  isFileIgnored(path: string): boolean {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (this.isIgnored(path.slice(0, end), true)) return true;
    }
    return this.isIgnored(path, false);
  }
}

/** Matching is case-sensitive, as on the file systems that trees are captured on. */
function newRules(): Ignore {
  return ignore({ ignoreCase: false, allowRelativePaths: true });
}

/** The parent folder of a path; undefined for the root. */
function parentOf(path: string): string | undefined {
  if (path === '') return undefined;
  const end = path.lastIndexOf('/');
  return end < 0 ? '' : path.slice(0, end);
}
