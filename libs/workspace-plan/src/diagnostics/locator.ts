import type { Path } from '../compile/values.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { formatPath } from './path.ts';

/** Where a path of the compiled workspace was written. */
export interface SourceLocation {
  readonly file: string;
  readonly document: YamlDocument;
  /** The way through that document. */
  readonly path: Path;
}

/** Knows where the parts of a workspace were written; the parts of an inventory come from many files. */
export interface Locator {
  locate(path: Path): SourceLocation;
  /** The path as it is told. */
  show(path: Path): string;
}

/** Everything stands in one document, at the path by which it is known. */
export function documentLocator(file: string, document: YamlDocument): Locator {
  return { locate: (path) => ({ file, document, path }), show: formatPath };
}

/**
 * One of many files: paths are told behind the name of the file, `apps/a/app.runtime.yaml:mcp.port`. `name` also says which
 * document of the file is meant, where it has several.
 */
export function manifestLocator(name: string, document: YamlDocument, file = name): Locator {
  return { locate: (path) => ({ file, document, path }), show: (path) => behind(name, path) };
}

/** A workspace put together from documents: says for every part which document it was taken from, and where it stands there. */
export class SourceMap implements Locator {
  readonly #sources = new Map<string, SourceLocation>();
  readonly #whole: SourceLocation;

  /** `whole` is where a finding is told that belongs to no single document. */
  constructor(whole: SourceLocation) {
    this.#whole = whole;
  }

  /** Records that what stands at `path` of the workspace was taken from there. */
  record(path: Path, source: SourceLocation): void {
    this.#sources.set(formatPath(path), source);
  }

  locate(path: Path): SourceLocation {
    for (let length = path.length; length > 0; length -= 1) {
      const source = this.#sources.get(formatPath(path.slice(0, length)));
      if (source) return { ...source, path: [...source.path, ...path.slice(length)] };
    }
    return this.#whole;
  }

  show(path: Path): string {
    const { file, path: inFile } = this.locate(path);
    return behind(file, inFile);
  }
}

function behind(name: string, path: Path): string {
  return path.length === 0 ? name : `${name}:${formatPath(path)}`;
}
