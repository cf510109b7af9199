import { type ErrorCode, ReinsError } from '@reins/contracts';
import type { ServerPackage } from '@reins/runtime-config';
import { registryTitle, titleOf } from './package-title.ts';

const failure = (code: ErrorCode, message: string, hint: string): ReinsError => new ReinsError({ code, message, hint });

/** The registry has no package of this name. */
export const packageUnknown = (item: ServerPackage): ReinsError =>
  failure(
    'mcp_package_not_found',
    `${titleOf(item)}: ${registryTitle(item)} has no package '${item.name}'${item.registry === 'pypi' ? ', or no wheel of it for this host' : ''}`,
    'Correct the name of the package.',
  );

/** The registry has the package, but not this version. */
export const versionUnknown = (item: ServerPackage): ReinsError =>
  failure(
    'mcp_package_not_found',
    `${titleOf(item)}: ${registryTitle(item)} has no version ${item.version} of '${item.name}'${item.registry === 'pypi' ? ', or no wheel of it for this host' : ''}`,
    `Use a version that \`${item.registry === 'npm' ? `npm view ${item.name} versions` : `pip index versions ${item.name}`}\` lists.`,
  );

/** A package that it depends on cannot be installed. */
export const dependencyUnknown = (item: ServerPackage, reason: string): ReinsError =>
  failure(
    'mcp_package_not_found',
    `${titleOf(item)}: a package that it needs does not exist: ${reason}`,
    'Use another version of the package.',
  );

export const registryUnreachable = (item: ServerPackage, reason: string): ReinsError =>
  failure(
    'mcp_package_unreachable',
    `${titleOf(item)}: ${registryTitle(item)} cannot be reached: ${reason}`,
    `Check the network of the host, and the registry, proxy and certificates in its configuration of ${item.registry === 'npm' ? 'npm' : 'pip or uv'}.`,
  );

/** @param tool what the host lacks */
export const installerMissing = (item: ServerPackage, tool: string): ReinsError =>
  failure(
    'mcp_package_tool_missing',
    `${titleOf(item)}: the host lacks ${tool}, which installs the package`,
    item.registry === 'npm'
      ? 'Install Node.js with npm on the host, on its PATH.'
      : 'Install Python 3 on the host, and uv or pip 22.3 or later, on its PATH.',
  );

export const installFailed = (item: ServerPackage, reason: string): ReinsError =>
  failure(
    'mcp_package_install_failed',
    `${titleOf(item)}: the installation ${reason}`,
    'Fix the reported cause, or use another version of the package.',
  );

export const cacheUnusable = (item: ServerPackage, dir: string, reason: string): ReinsError =>
  failure(
    'mcp_package_install_failed',
    `${titleOf(item)}: the folder for packages cannot be used: ${reason}`,
    `Make ${dir} writable for the harness host, or set XDG_CACHE_HOME of the host to another folder.`,
  );

export const integrityDiffers = (item: ServerPackage, found: string | undefined): ReinsError =>
  failure(
    'mcp_package_invalid',
    `${titleOf(item)}: ${found === undefined ? 'the download does not have the expected hash' : `its hash differs from \`integrity\` (found ${found})`}`,
    'Find out why the hash differs before you use the package.',
  );

/** The command names no program, and the package has none or several. */
export const programMissing = (item: ServerPackage, programs: readonly string[]): ReinsError =>
  failure(
    'mcp_package_invalid',
    `${titleOf(item)}: the package has ${programs.length === 0 ? 'no program' : `several programs and none with its name; it has: ${programs.join(', ')}`}`,
    programs.length === 0
      ? 'Use a package that is an MCP server.'
      : 'Write one of them as the first word of `command`.',
  );

/** @param meant the most similar program of the package */
export const programUnknown = (
  item: ServerPackage,
  program: string,
  programs: readonly string[],
  meant: string | undefined,
): ReinsError =>
  failure(
    'mcp_package_invalid',
    `${titleOf(item)}: neither the package nor the PATH of the host has a program '${program}'; the package has: ${programs.join(', ') || 'none'}`,
    meant === undefined ? 'Write a program of the package as the first word of `command`.' : `Did you mean '${meant}'?`,
  );
