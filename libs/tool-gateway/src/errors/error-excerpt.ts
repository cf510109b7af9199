import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The folders of a run on this host. Errors must not show their paths to users. */
export interface HostPaths {
  /** The workspace's files and copies of them. Paths in them are shown relative to the workspace. */
  readonly trees: readonly string[];
  /** Shown as `~`. */
  readonly homeDir: string;
}

const MAX_LENGTH = 300;
/** The start of a printed error: `TypeError: …`, `Error [ERR_X]: …`, `json.decoder.JSONDecodeError: …`. */
const THROWN = /^(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?(?::|$)/;
const MENTIONED = /\berror\b/i;
/** Stack frames, the marks below a line of code, and other lines that Node.js prints around an error. */
const NOISE = /^(?:\s+at\s.*|\s*[\^~]+|node:internal\/.*|\s*throw\b.*|Node\.js v\d.*|Require stack:|\{|\})$/;
const LOCATION = /^(?!node:)\S+:\d+$/;
/** Node.js prints the location of a syntax error up to three lines above it. */
const LOCATED_WITHIN = 3;

/**
 * Extracts the relevant part of an error output or a stack: the last thrown error, else the first line with the word
 * "error", else the last lines. Returns whole lines without stack frames and host paths, about 300 characters at
 * most. Returns '' when the output is empty.
 */
export function errorExcerpt(text: string, folders: HostPaths): string {
  const lines = withoutHostPaths(text, folders)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const thrown = lines.findLastIndex((line) => THROWN.test(line));
  const at = thrown >= 0 ? thrown : lines.findIndex((line) => MENTIONED.test(line) && !NOISE.test(line));
  if (at < 0)
    return linesWithinLimit(lines.filter((line) => !NOISE.test(line)).toReversed())
      .toReversed()
      .join('\n');
  const [first = '', ...rest] = lines.slice(at);
  const end = rest.findIndex((line) => NOISE.test(line));
  const where = first.startsWith('SyntaxError') ? locationIn(lines.slice(Math.max(0, at - LOCATED_WITHIN), at)) : '';
  return linesWithinLimit([first + where, ...rest.slice(0, end < 0 ? undefined : end)]).join('\n');
}

function locationIn(lines: readonly string[]): string {
  const location = lines.findLast((line) => LOCATION.test(line));
  return location === undefined ? '' : ` (${location})`;
}

/** Replaces the host paths of the run's folders in a text. */
export function withoutHostPaths(text: string, { trees, homeDir }: HostPaths): string {
  const withoutTrees = trees.reduce((rest, folder) => replaceFolder(rest, folder, '', '.'), text);
  return replaceFolder(withoutTrees, homeDir, '~/', '~');
}

function replaceFolder(text: string, folder: string, inside: string, itself: string): string {
  return namesOf(folder).reduce(
    (rest, name) =>
      rest.replaceAll(`${name}/`, inside).replace(new RegExp(`${RegExp.escape(name)}(?![\\w.-])`, 'g'), itself),
    text,
  );
}

/** The forms in which runtimes print a folder: file URLs, then paths with and without symbolic links, longest first. */
function namesOf(folder: string): readonly string[] {
  const paths = new Set([folder, realPathOf(folder)]);
  return [...[...paths].map((path) => pathToFileURL(path).href), ...[...paths].sort((a, b) => b.length - a.length)];
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The first lines up to the length limit. Truncates the first line if it exceeds the limit by itself. */
function linesWithinLimit(lines: readonly string[]): readonly string[] {
  let remaining = MAX_LENGTH;
  const shown: string[] = [];
  for (const line of lines) {
    remaining -= line.length + 1;
    if (remaining < 0) break;
    shown.push(line);
  }
  const [first] = lines;
  if (shown.length > 0 || first === undefined) return shown;
  return [
    `${first.slice(0, first.lastIndexOf(' ', MAX_LENGTH) > 0 ? first.lastIndexOf(' ', MAX_LENGTH) : MAX_LENGTH)} …`,
  ];
}
