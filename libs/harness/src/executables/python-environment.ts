import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import type { PythonRuntime } from './catalog.ts';
import { reportingSize, sizeOf } from './progress.ts';
import { relocateEnvironment } from './virtual-environment.ts';

const run = promisify(execFile);
const PYTHON = 'python3';
const MAX_OUTPUT = 16 * 1024 * 1024;
const PIP = { PIP_NO_INPUT: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_CACHE_DIR: '1' };

export interface PythonInstall {
  readonly runtime: PythonRuntime;
  readonly version: string;
  /** An existing folder for temporary files. */
  readonly draft: string;
  /** Where to put the environment now, and the folder that it is moved to. */
  readonly folder: string;
  readonly finalFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (message: string) => void;
}

/** What was installed. `integrity` is the hash of the list of all packages. */
export interface PythonInstalled {
  readonly integrity: string;
  readonly bytes: number;
  readonly downloaded: number;
}

/**
 * Installs a package of PyPI with pip into a virtual environment: wheels only, because a source package runs code. Every
 * package of the tested version must have a hash that this release knows.
 * @throws ReinsError `harness_install_failed`
 */
export async function installPython(install: PythonInstall): Promise<PythonInstalled> {
  const { runtime, version, draft, folder, finalFolder, onProgress } = install;
  const call = callerOf(install);
  await requireVersion(runtime, call);
  await call(['-m', 'venv', '--without-pip', folder]);
  const python = join(folder, 'bin', 'python');
  const wheels = join(draft, 'wheels');
  await mkdir(wheels);
  const title = `${runtime.runtimeId} ${version}`;
  const pip = (...args: string[]): Promise<string> => call(['-m', 'pip', '--python', python, ...args]);
  const isTested = version === runtime.version;
  const packages = isTested
    ? ['--require-hashes', '--no-deps', '--requirement', runtime.lock]
    : [`${runtime.package}[${runtime.extras}]==${version}`];
  await reportingSize({ title: `downloading ${title}`, folder: draft, onProgress }, () =>
    pip('download', '--only-binary', ':all:', '--dest', wheels, ...packages),
  );
  onProgress(`${title}: installing`);
  await pip('install', '--no-index', '--find-links', wheels, ...packages);
  const list = await pip('freeze', '--all');
  const downloaded = await sizeOf(wheels);
  await rm(wheels, { recursive: true });
  await relocateEnvironment(folder, finalFolder);
  return {
    integrity: `sha256-${createHash('sha256').update(list).digest('base64')}`,
    bytes: await sizeOf(folder),
    downloaded,
  };
}

type Call = (args: readonly string[]) => Promise<string>;

/** Runs Python. @throws ReinsError `harness_install_failed` */
function callerOf({ runtime, version, draft, environment }: PythonInstall): Call {
  return async (args) => {
    try {
      // pip downloads into its temporary folder first.
      const options = { cwd: draft, env: { ...environment, ...PIP, TMPDIR: draft }, maxBuffer: MAX_OUTPUT };
      return (await run(PYTHON, [...args], options)).stdout;
    } catch (cause) {
      throw notInstalled(`${runtime.runtimeId} ${version}`, cause);
    }
  };
}

async function requireVersion({ runtimeId, python: [first, last] }: PythonRuntime, call: Call): Promise<void> {
  const minor = Number(
    await call(['-c', 'import sys; print(sys.version_info.minor if sys.version_info.major == 3 else 0)']),
  );
  if (minor >= first && minor <= last) return;
  throw new ReinsError({
    code: 'harness_install_failed',
    message: `${runtimeId} needs Python 3.${first} to 3.${last} (${PYTHON} is 3.${minor})`,
    hint: `Put such a Python on the PATH, or set harness.${runtimeId}.command to an installed ${runtimeId}.`,
  });
}

function notInstalled(title: string, cause: unknown): ReinsError {
  const { code, message, stderr = '' } = cause as Error & { code?: unknown; stderr?: string };
  const lines = stderr.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => line.startsWith('ERROR:')).map((line) => line.slice('ERROR:'.length).trim());
  const why =
    code === 'ENOENT' ? `${PYTHON} is not on the PATH` : (errors.at(-1) ?? lines.findLast(Boolean) ?? message);
  return new ReinsError(
    {
      code: 'harness_install_failed',
      message: `${title} could not be installed: ${why}`,
      hint: 'Check the version, and that python3 has pip 22.3 or later, which can reach its registry.',
    },
    { cause },
  );
}
