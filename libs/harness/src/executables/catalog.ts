import { fileURLToPath } from 'node:url';

/** A package of a registry with the executable of a runtime for one platform. */
export interface PlatformPackage {
  /** What follows the version in the registry. */
  readonly suffix: string;
  /** The integrity of the package with the tested version, as the registry published it. */
  readonly integrity: string;
  /** The folder of the executable in the package. */
  readonly folder: string;
}

interface Installable {
  readonly runtimeId: string;
  /** The name of the package in its registry. */
  readonly package: string;
  /** The version that the conformance suite of this release has tested. */
  readonly version: string;
}

/** A runtime whose executable is in a package of npm. */
export interface NpmRuntime extends Installable {
  readonly registry: 'npm';
  /** The files to keep, relative to `folder` of the platform. The first one is the executable. */
  readonly files: readonly [executable: string, ...more: string[]];
  /** By `<platform>-<architecture>`. */
  readonly platforms: Readonly<Record<string, PlatformPackage>>;
}

/** A runtime that is a package of PyPI. It gets a virtual environment of its own. */
export interface PythonRuntime extends Installable {
  readonly registry: 'pypi';
  /** The extras of the package that runs need. */
  readonly extras: string;
  /** The minor versions of Python 3 that it works with: the first and the last. */
  readonly python: readonly [first: number, last: number];
  /** The file with every package of the tested version and its hashes, as pip reads it. */
  readonly lock: string;
  /** The program, relative to the environment. */
  readonly program: string;
}

/** A runtime whose executable Reins can install. */
export type InstallableRuntime = NpmRuntime | PythonRuntime;

export const CODEX: NpmRuntime = {
  registry: 'npm',
  runtimeId: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  // The rest of the package is for voice and for a tool that runs do not have.
  files: ['bin/codex', 'codex-path', 'codex-resources/bwrap', 'codex-package.json'],
  platforms: {
    'linux-x64': {
      suffix: '-linux-x64',
      integrity: 'sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==',
      folder: 'vendor/x86_64-unknown-linux-musl',
    },
    'linux-arm64': {
      suffix: '-linux-arm64',
      integrity: 'sha512-NZ/DaQUpcQmxmqee7Z9uC1rzw3GhSbooawcaTe1LN5Yk+WlinUKGdTXJgClRT/9ogQEEM9TWxYzvxPfj5G/xFg==',
      folder: 'vendor/aarch64-unknown-linux-musl',
    },
  },
};

export const OPENCODE: NpmRuntime = {
  registry: 'npm',
  runtimeId: 'opencode',
  package: 'opencode-linux-x64',
  version: '1.18.33',
  files: ['bin/opencode'],
  platforms: {
    'linux-x64': {
      suffix: '',
      integrity: 'sha512-q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjTtmYtNBcBsrI5yDo4Fw7ZSPBW2oyMIGMNRqiKQjiAWw==',
      folder: '.',
    },
  },
};

/** `uv pip compile --universal --generate-hashes --only-binary :all:` has written the file. */
const lockOf = (runtimeId: string): string => fileURLToPath(new URL(`../../locks/${runtimeId}.txt`, import.meta.url));

export const LITELLM: PythonRuntime = {
  registry: 'pypi',
  runtimeId: 'litellm',
  package: 'litellm',
  extras: 'proxy',
  version: '1.106.2',
  python: [11, 13],
  lock: lockOf('litellm'),
  program: 'bin/litellm',
};

export const HERMES: PythonRuntime = {
  registry: 'pypi',
  runtimeId: 'hermes',
  package: 'hermes-agent',
  extras: 'acp,mcp',
  version: '0.19.0',
  python: [11, 13],
  lock: lockOf('hermes'),
  program: 'bin/hermes',
};

/** Every runtime whose executable Reins can install. */
export const INSTALLABLE_RUNTIMES: readonly InstallableRuntime[] = [CODEX, HERMES, LITELLM, OPENCODE];

/** The runtime that can be installed under this id; undefined for another. */
export const installableRuntime = (runtimeId: string): InstallableRuntime | undefined =>
  INSTALLABLE_RUNTIMES.find((one) => one.runtimeId === runtimeId);
