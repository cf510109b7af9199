import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The folders of a run whose names mean nothing to the people who read an error. */
export interface HostPaths {
  /** The workspace's files, and copies of them: a path in one is told as a path of the workspace. */
  readonly trees: readonly string[];
  /** Told as `~`. */
  readonly homeDir: string;
}

const MAX_LENGTH = 300;
/** `TypeError: …`, `Error [ERR_X]: …`, `json.decoder.JSONDecodeError: …`, at the start of a line, as runtimes tell what ended them. */
const THROWN = /^(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?(?::|$)/;
const MENTIONED = /\berror\b/i;
/** Frames of a stack, the marks below a line of code, and what Node says around an error. */
const NOISE = /^(?:\s+at\s.*|\s*[\^~]+|node:internal\/.*|\s*throw\b.*|Node\.js v\d.*|Require stack:|\{|\})$/;
const LOCATION = /^(?!node:)\S+:\d+$/;
/** How far above a syntax error Node says where it is: that line, the code and the marks below it. */
const LOCATED_WITHIN = 3;

/**
 * What a process, or the stack of an error, tells of what went wrong: the last error that was thrown, else the first line that speaks
 * of an error, else the last lines. Whole lines without the frames of a stack, at most about 300 characters, no folder of the host.
 * '' when it says nothing.
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

/** A text without the names that the run's folders have on this host. */
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

/** Every way in which a folder is named, longer ones first: runtimes tell paths without symbolic links, and addresses. */
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

/** The lines that fit, from the first; of a first one that does not, what fits. */
function linesWithinLimit(lines: readonly string[]): readonly string[] {
  let room = MAX_LENGTH;
  const kept: string[] = [];
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const [first] = lines;
  if (kept.length > 0 || first === undefined) return kept;
  return [
    `${first.slice(0, first.lastIndexOf(' ', MAX_LENGTH) > 0 ? first.lastIndexOf(' ', MAX_LENGTH) : MAX_LENGTH)} …`,
  ];
}
