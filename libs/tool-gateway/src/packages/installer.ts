import { defined } from '@reins/contracts';
import type { ServerPackage } from '@reins/runtime-config';
import type { RunTool } from './run-tool.ts';

/** The program that runs the servers of a registry's packages: Node.js or Python. */
export interface PackageRuntime {
  /** Its name and version. */
  readonly id: string;
  /** Its absolute path. Version managers put a script of their own on the PATH. */
  readonly program: string;
}

/** One installation, in folders of its own. */
export interface InstallJob {
  readonly item: ServerPackage;
  readonly runtime: PackageRuntime;
  /** An empty folder, which gets the package and everything that it needs. */
  readonly folder: string;
  /** The path that the folder gets after the installation. */
  readonly finalFolder: string;
  readonly run: RunTool;
}

/** The programs of an installed package. */
export interface PackagePrograms {
  readonly programs: readonly string[];
  /** The program that starts when a server names none. Absent: the package has no program of its own name. */
  readonly program?: string;
}

/** Installs packages of one registry. */
export interface Installer {
  /** @throws ReinsError `mcp_package_tool_missing` */
  runtime(item: ServerPackage, run: RunTool): Promise<PackageRuntime>;
  /** @throws ReinsError `mcp_package_…` */
  install(job: InstallJob): Promise<PackagePrograms>;
  /** The folder of the programs, in the folder of the package. */
  readonly programsIn: string;
}

/** The program that has the name of the package, or the only one. */
export function ownProgram(name: string, programs: readonly string[]): PackagePrograms {
  const [only, ...others] = programs;
  const own = programs.includes(name) ? name : others.length === 0 ? only : undefined;
  return { programs, ...defined({ program: own }) };
}
