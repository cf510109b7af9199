import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** What decides where run directories are. The names of the environment variables that they come from are those of babysitter. */
export interface RunsRootSettings {
  readonly cwd: string;
  /** `--runs-dir`, else `BABYSITTER_RUNS_DIR`. */
  readonly runsDir?: string;
  /** `BABYSITTER_RUNS_SCOPE`: `repo`, `project`, `root` or `local` mean the repository. */
  readonly scope?: string;
  /** `BABYSITTER_GLOBAL_STATE_DIR`, in place of `~/.a5c`. */
  readonly globalStateDir?: string;
}

const REPOSITORY_SCOPES = new Set(['repo', 'project', 'root', 'local']);

/**
 * Where run directories are: global by default, the repository's when configured. A relative `runsDir` stands under the scope's
 * own folder and not under the working directory. With a run id, a run that lies in the repository (as earlier versions
 * kept them) is found there.
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
  if (runsDir) return withoutDoubling(isAbsolute(runsDir) ? runsDir : join(base, runsDir));
  return isLocal ? join(base, '.a5c', 'runs') : join(state, 'runs');
}

/** The nearest folder above that holds `.git` or `.a5c`. */
function repositoryOf(cwd: string): string | undefined {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || existsSync(join(at, '.a5c'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

const withoutDoubling = (path: string): string =>
  path.replaceAll(/([/\\]\.a5c[/\\]runs)(?:[/\\]\.a5c[/\\]runs)+/g, '$1');
