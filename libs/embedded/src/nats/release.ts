import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The official release archives with known checksums, as published by the project in nats-io/nats-docker
 * (2.15.x/alpine3.22/Dockerfile, commit 629985321b0b00d2c39c853782c776f91f3a3189). Other platforms have no archive
 * here.
 */
const RELEASE = {
  version: '2.15.0',
  archives: {
    'linux-x64': { name: 'linux-amd64', sha256: '5d2c51caca950333aba84911df7d377f826f3a59ec36061c6539105084f65c92' },
    'linux-arm64': { name: 'linux-arm64', sha256: 'cdc208f5a3f42963a52b6ab06ef65626bb870315dc936e26ba571780c6351112' },
  } as Readonly<Record<string, { name: string; sha256: string } | undefined>>,
};

const DOWNLOAD_TIMEOUT_MS = 120_000;

export interface ReleaseSource {
  readonly platform: string;
  /** Downloads the archive; replaceable in tests. */
  readonly download: (url: string) => Promise<Uint8Array>;
}

export const githubReleases: ReleaseSource = { platform: `${process.platform}-${process.arch}`, download };

/** Installs the server of the release archive as `binary`. Resolves to the number of downloaded bytes. */
export async function installRelease(binary: string, source: ReleaseSource = githubReleases): Promise<number> {
  const archive = RELEASE.archives[source.platform];
  if (!archive) throw new Error(`no pinned release archive for platform ${source.platform}`);
  const folder = `nats-server-v${RELEASE.version}-${archive.name}`;
  const bytes = await source.download(
    `https://github.com/nats-io/nats-server/releases/download/v${RELEASE.version}/${folder}.tar.gz`,
  );
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== archive.sha256)
    throw new Error(`checksum mismatch: expected SHA-256 ${archive.sha256}, got ${sha256}`);
  await unpack(bytes, `${folder}/nats-server`, binary);
  return bytes.byteLength;
}

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} returned status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function unpack(archive: Uint8Array, member: string, binary: string): Promise<void> {
  await mkdir(dirname(binary), { recursive: true });
  const draft = await mkdtemp(join(dirname(binary), 'draft-'));
  try {
    await writeFile(join(draft, 'archive.tar.gz'), archive);
    await run('tar', ['-xzf', 'archive.tar.gz', member], { cwd: draft });
    await rename(join(draft, member), binary);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
