import type { Path } from '../compile/values.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { formatPath } from './path.ts';

/** The source position of a path of the compiled workspace. */
export interface SourceLocation {
  readonly file: string;
  readonly document: YamlDocument;
  /** The path within that document. */
  readonly path: Path;
}

/** Maps paths of a workspace to source files. The parts of an inventory come from several files. */
export interface Locator {
  locate(path: Path): SourceLocation;
  /** The path in the form that messages show. */
  show(path: Path): string;
}

/** A locator for a workspace in a single document, in which the paths are the same. */
export function documentLocator(file: string, document: YamlDocument): Locator {
  return { locate: (path) => ({ file, document, path }), show: formatPath };
}

/**
 * A locator for one of several files. Messages show the path after the file name: `apps/a/app.runtime.yaml:mcp.port`.
 * `name` also identifies the document in a file with several documents.
 */
export function manifestLocator(name: string, document: YamlDocument, file = name): Locator {
  return { locate: (path) => ({ file, document, path }), show: (path) => pathInFile(name, path) };
}

/** A locator for a workspace that was assembled from documents. It maps each part to its source document. */
export class SourceMap implements Locator {
  readonly #sources = new Map<string, SourceLocation>();
  readonly #fallback: SourceLocation;

  /** `fallback` is the position of findings that do not belong to a single document. */
  constructor(fallback: SourceLocation) {
    this.#fallback = fallback;
  }

  /** Records that the value at `path` of the workspace comes from `source`. */
  record(path: Path, source: SourceLocation): void {
    this.#sources.set(formatPath(path), source);
  }

  locate(path: Path): SourceLocation {
    for (let length = path.length; length > 0; length -= 1) {
      const source = this.#sources.get(formatPath(path.slice(0, length)));
      if (source) return { ...source, path: [...source.path, ...path.slice(length)] };
    }
    return this.#fallback;
  }

  show(path: Path): string {
    const { file, path: inFile } = this.locate(path);
    return pathInFile(file, inFile);
  }
}

function pathInFile(name: string, path: Path): string {
  return path.length === 0 ? name : `${name}:${formatPath(path)}`;
}
