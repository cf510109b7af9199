import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { relocateEnvironment } from '@reins/harness';
import type { ServerPackage } from '@reins/runtime-config';
import { type Installer, type InstallJob, ownProgram, type PackagePrograms } from './installer.ts';
import {
  dependencyUnknown,
  installerMissing,
  installFailed,
  integrityDiffers,
  packageUnknown,
  registryUnreachable,
  versionUnknown,
} from './package-failures.ts';
import type { ToolEnd } from './run-tool.ts';

const PYTHON = 'python3';
const DESCRIBE =
  'import sys, sysconfig; print(sys.implementation.cache_tag, sys.version.split()[0], sysconfig.get_platform()); print(sys.executable)';
/** Never downloads an interpreter. Its cache would be in a home that is removed. */
const UV = { UV_PYTHON_DOWNLOADS: 'never', UV_NO_CACHE: '1', UV_LINK_MODE: 'copy', UV_NO_PROGRESS: '1' };
const PIP = { PIP_NO_INPUT: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_CACHE_DIR: '1', PIP_RETRIES: '1' };
const NETWORK =
  /^.*(?:NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|SSLError|ProxyError|Failed to fetch|dns error|Connection refused|error sending request|timed out|HTTP error 5\d\d|40[137] Client Error).*$/m;

/** What uv writes before the text of an error. */
const LINE_PREFIX = /^[^\w']*(?:(?:error|cause):\s*)?/i;

/** Installs packages of PyPI into a virtual environment: wheels only, because a source package runs code. */
export const pypiInstaller: Installer = {
  programsIn: 'bin',

  async runtime(item, run) {
    const { exists, code, stdout } = await run([PYTHON, '-c', DESCRIBE]);
    if (!exists || code !== 0) throw installerMissing(item, PYTHON);
    const [id = '', program = ''] = stdout.trim().split('\n');
    return { id, program };
  },

  async install(job) {
    const { item, folder, finalFolder, run } = job;
    const withUv = (await run(['uv', '--version'])).exists;
    if (withUv) await installWithUv(job);
    else await installWithPip(job);
    const programs = await programsOf(item, folder);
    await relocateEnvironment(folder, finalFolder);
    return programs;
  },
};

async function installWithUv({ item, runtime, folder, run }: InstallJob): Promise<void> {
  await succeed(item, await run(['uv', 'venv', '--allow-existing', '--python', runtime.program, folder], UV));
  const requirement = join(folder, 'requirement.txt');
  await writeFile(requirement, requirementOf(item));
  const target = ['--python', join(folder, 'bin', 'python')];
  const options = ['--only-binary', ':all:', '--compile-bytecode', '--requirement', requirement];
  await succeed(item, await run(['uv', 'pip', 'install', ...target, ...options], UV));
}

/** Only uv can install dependencies without hashes next to a package with one, so pip installs the package first. */
async function installWithPip({ item, runtime: { program }, folder, run }: InstallJob): Promise<void> {
  await succeed(item, await run([program, '-m', 'venv', '--without-pip', folder]));
  const requirement = join(folder, 'requirement.txt');
  await writeFile(requirement, requirementOf(item));
  const pip = [program, '-m', 'pip', '--python', join(folder, 'bin', 'python'), 'install', '--only-binary', ':all:'];
  if (item.integrity !== undefined)
    await succeed(item, await run([...pip, '--no-deps', '--requirement', requirement], PIP));
  await succeed(item, await run([...pip, `${item.name}==${item.version}`], PIP));
}

const requirementOf = ({ name, version, integrity }: ServerPackage): string =>
  `${name}==${version}${integrity === undefined ? '' : ` --hash=${integrity}`}\n`;

/** @throws ReinsError when the program failed */
async function succeed(item: ServerPackage, end: ToolEnd): Promise<void> {
  if (end.exists && end.code === 0) return;
  throw failureOf(item, end);
}

function failureOf(item: ServerPackage, { exists, code, stderr, stdout }: ToolEnd): Error {
  const output = `${stdout}\n${stderr}`;
  if (!exists) return installerMissing(item, PYTHON);
  if (/No module named (?:pip|venv)|no such option: --python/.test(output)) return installerMissing(item, 'pip and uv');
  const hash =
    /(?:DO NOT MATCH THE HASHES|[Hh]ash mismatch)[\s\S]*?(?:Got|Computed:)\s*(?:sha256:)?\s*([0-9a-f]{64})?/.exec(
      output,
    );
  if (hash) return integrityDiffers(item, hash[1] && `sha256:${hash[1]}`);
  const [network] = NETWORK.exec(output) ?? [];
  if (network !== undefined) return registryUnreachable(item, network.replace(LINE_PREFIX, '').slice(0, 300));
  return notFound(item, output) ?? installFailed(item, `failed: ${lastLine(output) ?? `ended with code ${code}`}`);
}

/** The messages of pip, then those of uv. */
function notFound(item: ServerPackage, output: string): Error | undefined {
  const own = `${item.name}==${item.version}`;
  const [, requirement, versions] =
    /Could not find a version that satisfies the requirement (\S+).*\(from versions: (.*)\)/.exec(output) ?? [];
  if (requirement !== undefined) {
    if (requirement.toLowerCase().replaceAll(/[-_.]+/g, '-') !== own.replaceAll(/[-_.]+/g, '-'))
      return dependencyUnknown(item, requirement);
    return versions === 'none' ? packageUnknown(item) : versionUnknown(item);
  }
  const text = output.replaceAll(/\s+/g, ' ');
  const [, absent] = /Because (\S+) was not found in the package registry/.exec(text) ?? [];
  if (absent !== undefined) return absent === item.name ? packageUnknown(item) : dependencyUnknown(item, absent);
  const [, version] = /Because (?:there is no version of (\S+)|(\S+) has no (?:usable )?wheels)/.exec(text) ?? [];
  if (version !== undefined) return version === own ? versionUnknown(item) : dependencyUnknown(item, version);
  return undefined;
}

const lastLine = (output: string): string | undefined =>
  output
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '' && !line.startsWith('[notice]'))
    ?.slice(0, 300);

/** The programs that the package itself declares, without those of its dependencies. */
async function programsOf({ name }: ServerPackage, folder: string): Promise<PackagePrograms> {
  const lib = join(folder, 'lib');
  const [python = ''] = await readdir(lib);
  const packages = join(lib, python, 'site-packages');
  const infos = (await readdir(packages)).filter((entry) => entry.endsWith('.dist-info'));
  const info = infos.find((entry) => normalized(entry.slice(0, entry.indexOf('-'))) === name) ?? '';
  const declared = await readFile(join(packages, info, 'entry_points.txt'), 'utf8').catch(() => '');
  const [, scripts = ''] = /\[console_scripts\]([^[]*)/.exec(declared) ?? [];
  const names = scripts.split('\n').flatMap((line) => /^\s*([\w.-]+)\s*=/.exec(line)?.[1] ?? []);
  return ownProgram(name, names);
}

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');
