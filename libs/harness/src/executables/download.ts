import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { reportingSize } from './progress.ts';

const run = promisify(execFile);
const MAX_OUTPUT = 16 * 1024 * 1024;

export interface Download {
  /** A package with its version, as npm takes it. */
  readonly spec: string;
  /** An existing folder for the archive. */
  readonly folder: string;
  /** The integrity that the archive must have. Absent: that of the registry, which npm checks. */
  readonly expected?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (message: string) => void;
}

export interface Downloaded {
  readonly file: string;
  readonly integrity: string;
  readonly bytes: number;
}

/**
 * Downloads a package with npm, which uses the configured registry and proxy, and checks its integrity.
 * @throws ReinsError `harness_install_failed`
 */
export async function downloadPackage({
  spec,
  folder,
  expected,
  environment,
  onProgress,
}: Download): Promise<Downloaded> {
  const cache = join(folder, 'cache');
  try {
    // A cache of its own: the package is large and is not needed again.
    const options = ['--pack-destination', folder, '--cache', cache, '--ignore-scripts', '--loglevel=error'];
    await reportingSize({ title: `downloading ${spec}`, folder: cache, onProgress }, () =>
      run('npm', ['pack', spec, ...options], { cwd: folder, env: { ...environment }, maxBuffer: MAX_OUTPUT }),
    );
  } catch (error) {
    throw notDownloaded(spec, error);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.tgz'));
  if (name === undefined) throw notDownloaded(spec, new Error('npm wrote no archive'));
  const file = join(folder, name);
  const integrity = await integrityOf(file);
  if (expected !== undefined && integrity !== expected) throw changed(spec, expected, integrity);
  return { file, integrity, bytes: (await stat(file)).size };
}

/** The integrity of a file in the form of npm: `sha512-` and the hash in base64. */
export async function integrityOf(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}

function notDownloaded(spec: string, error: unknown): ReinsError {
  const { code, message, stderr = '' } = error as Error & { code?: unknown; stderr?: string };
  const lines = stderr.split('\n').filter((line) => line.startsWith('npm error') && !line.includes('A complete log'));
  const why = code === 'ENOENT' ? 'npm is not on the PATH' : lines.slice(0, 2).join(' ') || message.split('\n')[0];
  return new ReinsError(
    {
      code: 'harness_install_failed',
      message: `${spec} could not be downloaded: ${why}`,
      hint: 'Check the version, and that npm can reach its registry (npm ping).',
    },
    { cause: error },
  );
}

const changed = (spec: string, expected: string, integrity: string): ReinsError =>
  new ReinsError({
    code: 'harness_install_failed',
    message: `${spec} has the integrity ${integrity}, not ${expected}`,
    hint: 'Check the npm registry: it serves a different package from the one that was tested.',
  });
