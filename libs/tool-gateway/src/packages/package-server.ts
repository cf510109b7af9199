import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { nearest } from '@reins/contracts';
import type { LocalMcpConfig, ServerPackage } from '@reins/runtime-config';
import type { ServerSpec } from '../client/server-spec.ts';
import type { InstalledPackage } from './package-cache.ts';
import { programMissing, programUnknown } from './package-failures.ts';

/**
 * The server of an installed package. Its command starts with a program of the package, or with one of the host, such as
 * `node`. The programs of the package come first in its PATH.
 * @throws ReinsError `mcp_package_invalid` when there is no such program
 */
export function packageServer(
  serverId: string,
  config: LocalMcpConfig,
  item: ServerPackage,
  { folder, programsDir, programs, program: own }: InstalledPackage,
  hostPath: string,
): ServerSpec {
  const [program = own, ...args] = config.command;
  if (program === undefined) throw programMissing(item, programs);
  const isOwn = programs.includes(program);
  const path = `${programsDir}${delimiter}${hostPath}`;
  if (!isOwn && !program.includes('/') && !isOnPath(program, path))
    throw programUnknown(item, program, programs, nearest(program, programs));
  const command = [isOwn ? join(programsDir, program) : program, ...args];
  const environment = { PATH: path, ...config.environment };
  return { serverId, config: { ...config, command, environment }, packageFolder: folder };
}

const isOnPath = (program: string, path: string): boolean =>
  path.split(delimiter).some((folder) => isExecutable(join(folder, program)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
