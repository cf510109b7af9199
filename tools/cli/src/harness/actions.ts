import { ReinsError } from '@reins/contracts';
import {
  BUILT_IN_ADAPTERS,
  createRegistry,
  INSTALLABLE_RUNTIMES,
  type InstallableRuntime,
  installableRuntime,
  installedRuntime,
  installRuntime,
  removeRuntime,
  unknownRuntime,
} from '@reins/harness';
import { processSettings } from '@reins/service-kit/installation';
import { type CliContext, harnessesDirOf } from '../context.ts';
import { probeRuntimes } from '../doctor/local-runtimes.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { table } from '../output/table.ts';

/** `reins harness list`: every runtime, and the executable that is installed for it. */
export async function listHarnesses(context: CliContext): Promise<ExitCode> {
  const dir = harnessesDirOf(context);
  const runtimes = createRegistry(BUILT_IN_ADAPTERS).runtimeIds.map((runtimeId) => {
    const installed = installedRuntime(dir, runtimeId);
    return {
      runtimeId,
      tested: installableRuntime(runtimeId)?.version ?? null,
      installed: installed?.version ?? null,
      bytes: installed?.bytes ?? null,
      folder: installed?.folder ?? null,
    };
  });
  if (context.json) printJson(context, { runtimes });
  else context.out(`${table(['runtimeId', 'tested', 'installed', 'size', 'folder'], runtimes.map(rowOf))}\n`);
  return EXIT.ok;
}

interface ListedRuntime {
  readonly runtimeId: string;
  /** Null: the runtime needs no installation. */
  readonly tested: string | null;
  readonly installed: string | null;
  readonly bytes: number | null;
  readonly folder: string | null;
}

function rowOf({ runtimeId, tested, installed, bytes, folder }: ListedRuntime): string[] {
  if (tested === null) return [runtimeId, 'built in', '', '', ''];
  return [runtimeId, tested, installed ?? 'no', bytes === null ? '' : megabytes(bytes), folder ?? ''];
}

/**
 * `reins harness install <runtime>[@<version>]`: downloads, checks and unpacks the executable.
 * @throws ReinsError `harness_unknown` · `harness_install_failed`
 */
export async function installHarness(context: CliContext, name: string): Promise<ExitCode> {
  const [runtimeId = '', version] = name.split('@', 2);
  const runtime = installable(runtimeId);
  const since = performance.now();
  const { downloaded, ...installed } = await installRuntime({
    dir: harnessesDirOf(context),
    runtime,
    environment: context.env,
    onProgress: context.note,
    ...(version !== undefined && { version }),
  });
  if (installed.version !== runtime.version)
    context.note(
      `this release is tested with ${runtimeId} ${runtime.version}: run \`reins harness probe ${runtimeId}\``,
    );
  if (context.json) printJson(context, { ...installed, downloaded });
  else if (downloaded === 0) context.out(`${runtimeId} ${installed.version} is already installed\n`);
  else {
    const seconds = ((performance.now() - since) / 1000).toFixed(0);
    const sizes = `${megabytes(downloaded)} downloaded, ${megabytes(installed.bytes)} installed`;
    context.out(`installed ${runtimeId} ${installed.version} in ${seconds} s (${sizes})\n`);
  }
  return EXIT.ok;
}

/**
 * `reins harness remove <runtime>`.
 * @throws ReinsError `harness_unknown`
 */
export async function removeHarness(context: CliContext, runtimeId: string): Promise<ExitCode> {
  installable(runtimeId);
  const removed = await removeRuntime(harnessesDirOf(context), runtimeId);
  if (context.json) printJson(context, { runtimeId, removed });
  else context.out(removed ? `removed ${runtimeId}\n` : `${runtimeId} is not installed\n`);
  return EXIT.ok;
}

/**
 * `reins harness probe [runtime...]`: probes runtimes on this machine; without names, the installed ones. Fails if one
 * of them is unhealthy.
 * @throws ReinsError `harness_unknown`
 */
export async function probeHarnesses(context: CliContext, names: readonly string[]): Promise<ExitCode> {
  const registry = createRegistry(BUILT_IN_ADAPTERS);
  for (const name of names) registry.get(name);
  const dir = harnessesDirOf(context);
  const installed = INSTALLABLE_RUNTIMES.map(({ runtimeId }) => runtimeId).filter((id) => installedRuntime(dir, id));
  const health = await probeRuntimes(context, processSettings(context.env), names.length > 0 ? names : installed);
  if (context.json) printJson(context, { runtimes: health });
  else {
    const rows = health.map(({ runtimeId, version, healthy, reason }) => [
      runtimeId,
      version,
      healthy ? 'yes' : 'no',
      reason ?? '',
    ]);
    context.out(`${table(['runtimeId', 'version', 'healthy', 'reason'], rows)}\n`);
  }
  return health.every(({ healthy }) => healthy) ? EXIT.ok : EXIT.failed;
}

/** @throws ReinsError `harness_unknown` */
function installable(runtimeId: string): InstallableRuntime {
  const runtime = installableRuntime(runtimeId);
  if (runtime) return runtime;
  const ids = INSTALLABLE_RUNTIMES.map((one) => one.runtimeId);
  throw new ReinsError(unknownRuntime({ runtimeId, path: 'runtime' }, ids));
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
