import type { Path } from '../compile/values.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { formatPath } from './path.ts';

/** Where a path of the compiled workspace was written. */
export interface Located {
  readonly file: string;
  readonly document: YamlDocument;
  /** The way through that document. */
  readonly path: Path;
}

/** Knows where the parts of a workspace were written; the parts of an inventory come from many files. */
export interface Locator {
  locate(path: Path): Located;
  /** The path as it is told. */
  show(path: Path): string;
}

/** Everything stands in one document, at the path by which it is known. */
export function inDocument(file: string, document: YamlDocument): Locator {
  return { locate: (path) => ({ file, document, path }), show: formatPath };
}

/** The manifest of an application: paths are told behind the name of the file, `apps/a/app.runtime.yaml:mcp.port`. */
export function inManifest(file: string, document: YamlDocument): Locator {
  return {
    locate: (path) => ({ file, document, path }),
    show: (path) => (path.length === 0 ? file : `${file}:${formatPath(path)}`),
  };
}
