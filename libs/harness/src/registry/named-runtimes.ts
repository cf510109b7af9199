/** A runtime id, and the path of the setting that names it. */
export interface NamedRuntime {
  readonly runtimeId: string;
  readonly path: string;
}

interface StageFallbacks {
  readonly fallback?: readonly { readonly runtime: string }[];
}

/** The settings of an installation that name runtimes. */
export interface RuntimeSettings {
  readonly host: { readonly runtimes: readonly string[] };
  readonly runtimeProfile: {
    readonly default?: string;
    readonly stages?: Readonly<Partial<Record<string, string>>>;
    readonly stageSettings?: Readonly<Partial<Record<string, StageFallbacks>>>;
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
  const { stages = {}, stageSettings = {} } = runtimeProfile;
  const named = { default: runtimeProfile.default, ...prefixed(stages), ...fallbacksOf(stageSettings) };
  return Object.entries(named).flatMap(([path, runtimeId]) =>
    runtimeId === undefined ? [] : [{ runtimeId, path: `runtime_profile.${path}` }],
  );
}

const prefixed = (stages: Readonly<Partial<Record<string, string>>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(stages).map(([stage, runtimeId]) => [`stages.${stage}`, runtimeId]));

const fallbacksOf = (settings: Readonly<Partial<Record<string, StageFallbacks>>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([stage, { fallback = [] } = {}]) =>
      fallback.map(({ runtime }, place) => [`stages.${stage}.fallback.${place}`, runtime]),
    ),
  );
