/** A runtime id, and the path of the setting that names it. */
export interface NamedRuntime {
  readonly runtimeId: string;
  readonly path: string;
}

/** The settings of an installation that name runtimes. */
export interface RuntimeSettings {
  readonly host: { readonly runtimes: readonly string[] };
  readonly runtimeProfile: {
    readonly default?: string;
    readonly stages?: Readonly<Partial<Record<string, string>>>;
    readonly workspaceMayUse?: readonly string[];
  };
}

/** The runtimes that this installation's hosts offer. */
export const offeredRuntimes = ({ host }: Pick<RuntimeSettings, 'host'>): readonly NamedRuntime[] =>
  host.runtimes.map((runtimeId) => ({ runtimeId, path: 'host.runtimes' }));

/** The runtimes that workspaces may choose for their stages. */
export const permittedRuntimes = ({
  runtimeProfile,
}: Pick<RuntimeSettings, 'runtimeProfile'>): readonly NamedRuntime[] =>
  (runtimeProfile.workspaceMayUse ?? []).map((runtimeId) => ({ runtimeId, path: 'runtime_profile.workspaceMayUse' }));

/** The runtimes that the profile maps stages to. */
export function profileRuntimes({ runtimeProfile }: Pick<RuntimeSettings, 'runtimeProfile'>): readonly NamedRuntime[] {
  const named = { default: runtimeProfile.default, ...prefixed(runtimeProfile.stages ?? {}) };
  return Object.entries(named).flatMap(([path, runtimeId]) =>
    runtimeId === undefined ? [] : [{ runtimeId, path: `runtime_profile.${path}` }],
  );
}

const prefixed = (stages: Readonly<Partial<Record<string, string>>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(stages).map(([stage, runtimeId]) => [`stages.${stage}`, runtimeId]));
