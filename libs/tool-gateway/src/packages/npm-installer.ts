import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type JsonObject } from '@reins/contracts';
import type { ServerPackage } from '@reins/runtime-config';
import { type Installer, ownProgram, type PackagePrograms } from './installer.ts';
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

const ARGUMENTS = [
  'install',
  '--ignore-scripts', // Nothing of a package runs before its server starts.
  '--omit=dev',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--no-progress',
  '--loglevel=error',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=2000',
];
const DESCRIBE = 'process.version + String.fromCharCode(10) + process.execPath';
const NETWORK =
  /\b(E?(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|SOCKETTIMEOUT)|ERR_SOCKET_TIMEOUT|ENOTCACHED|CERT_\w+|\w+_CERT_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|E5\d\d|E401|E403|E407)\b/;

/** Installs npm packages with `npm install`, without their scripts. */
export const npmInstaller: Installer = {
  programsIn: 'node_modules/.bin',

  async runtime(item, run) {
    const { exists, code, stdout } = await run(['node', '--print', DESCRIBE]);
    if (!exists || code !== 0) throw installerMissing(item, 'node');
    const [version = '', program = ''] = stdout.trim().split('\n');
    return { id: `node ${version}`, program };
  },

  async install({ item, folder, run }) {
    const end = await run(['npm', ...ARGUMENTS, `--prefix=${folder}`, '--', `${item.name}@${item.version}`]);
    if (!end.exists) throw installerMissing(item, 'npm');
    if (end.code !== 0) throw failureOf(item, end);
    await checkIntegrity(item, folder);
    return programsOf(item, folder);
  },
};

function failureOf(item: ServerPackage, { code, stderr }: ToolEnd): Error {
  const [, kind = ''] = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr) ?? [];
  const lines = stderr
    .split('\n')
    .filter((line) => /^npm (?:error|ERR!)/.test(line) && !/ code |A complete log|errno|syscall/.test(line))
    .map((line) => line.replace(/^npm (?:error|ERR!)\s*(?:\d{3}|[a-z]+)?\s+/, ''));
  const reason = lines[0]?.slice(0, 300) ?? `ended with code ${code}`;
  const isAboutItself = stderr.includes(item.name);
  if (kind === 'E404') return isAboutItself ? packageUnknown(item) : dependencyUnknown(item, reason);
  if (kind === 'ETARGET')
    return stderr.includes(`${item.name}@${item.version}`) ? versionUnknown(item) : dependencyUnknown(item, reason);
  if (kind === 'EINTEGRITY') return integrityDiffers(item, undefined);
  if (NETWORK.test(kind)) return registryUnreachable(item, `${kind}${reason.includes(kind) ? '' : `, ${reason}`}`);
  return installFailed(item, `failed: ${kind === '' ? reason : `${kind}, ${reason}`}`);
}

/** npm has checked the package against the hash of the registry, which it records. */
async function checkIntegrity(item: ServerPackage, folder: string): Promise<void> {
  if (item.integrity === undefined) return;
  const lock = await jsonOf(join(folder, 'node_modules', '.package-lock.json'));
  const packages = isObject(lock.packages) ? lock.packages : {};
  const installed = packages[`node_modules/${item.name}`];
  const found = isObject(installed) ? String(installed.integrity) : undefined;
  if (found !== item.integrity) throw integrityDiffers(item, found);
}

async function programsOf(item: ServerPackage, folder: string): Promise<PackagePrograms> {
  const { bin } = await jsonOf(join(folder, 'node_modules', item.name, 'package.json'));
  const name = item.name.replace(/^@[^/]*\//, '');
  return ownProgram(name, typeof bin === 'string' ? [name] : isObject(bin) ? Object.keys(bin) : []);
}

async function jsonOf(file: string): Promise<JsonObject> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'));
  return isObject(value) ? (value as JsonObject) : {};
}
