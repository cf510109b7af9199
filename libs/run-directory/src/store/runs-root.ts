import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ReinsError } from '@reins/contracts';

/** The settings that decide where run directories are. They come from babysitter's environment variables. */
export interface RunsRootSettings {
  readonly cwd: string;
  /** `--runs-dir`, or `BABYSITTER_RUNS_DIR`. */
  readonly runsDir?: string;
  /** `BABYSITTER_RUNS_SCOPE`: `repo`, `project`, `root` or `local` select the repository. */
  readonly scope?: string;
  /** `BABYSITTER_GLOBAL_STATE_DIR`, instead of `~/.a5c`. */
  readonly globalStateDir?: string;
}

const REPOSITORY_SCOPES = new Set(['repo', 'project', 'root', 'local']);

/**
 * The directory of the run directories: global by default, or in the repository. A relative `runsDir` is resolved
 * against the folder of the scope, not against the working directory. With a run id, finds runs that earlier versions
 * stored in the repository.
 * @throws ReinsError `wrong_usage` for a relative `runsDir` whose folder would depend on the working directory
 */
export function runsRoot(settings: RunsRootSettings, runId?: string): string {
  const repository = repositoryOf(settings.cwd);
  const inRepository = repository === undefined ? undefined : join(repository, '.a5c', 'runs');
  const chosen = chosenRoot(settings, repository);
  const isLegacyPlace =
    runId !== undefined &&
    inRepository !== undefined &&
    !existsSync(join(chosen, runId)) &&
    existsSync(join(inRepository, runId));
  return isLegacyPlace ? inRepository : chosen;
}

function chosenRoot({ cwd, runsDir, scope, globalStateDir }: RunsRootSettings, repository: string | undefined): string {
  const isLocal = scope !== undefined && REPOSITORY_SCOPES.has(scope);
  const state = globalStateDir ? resolve(cwd, globalStateDir) : join(homedir(), '.a5c');
  const base = isLocal ? (repository ?? cwd) : dirname(state);
  if (runsDir && !isAbsolute(runsDir)) assertFixedBase(runsDir, isLocal ? repository : (globalStateDir ?? state));
  if (runsDir) return withoutDoubling(isAbsolute(runsDir) ? runsDir : join(base, runsDir));
  return isLocal ? join(base, '.a5c', 'runs') : join(state, 'runs');
}

/** Rejects a relative path that would name another folder in each working directory. */
function assertFixedBase(runsDir: string, base: string | undefined): void {
  if (base !== undefined && isAbsolute(base)) return;
  const why = base === undefined ? 'there is no repository here' : `BABYSITTER_GLOBAL_STATE_DIR is relative (${base})`;
  const message = `the runs folder ${JSON.stringify(runsDir)} is relative, and ${why}`;
  throw new ReinsError({
    code: 'wrong_usage',
    message,
    path: runsDir,
    hint: 'Write the runs folder as an absolute path.',
  });
}

/** The nearest parent folder that contains `.git` or `.a5c`. */
function repositoryOf(cwd: string): string | undefined {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || existsSync(join(at, '.a5c'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

const withoutDoubling = (path: string): string =>
  path.replaceAll(/([/\\]\.a5c[/\\]runs)(?:[/\\]\.a5c[/\\]runs)+/g, '$1');
