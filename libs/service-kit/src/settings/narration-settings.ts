import { IsIn, IsObject } from 'class-validator';

const RUNS = ['workspace', 'all', 'none'] as const;

export class NarrationSettings {
  /** Which runs are narrated: those whose workspace enables it, all, or none. */
  @IsIn(RUNS)
  runs: (typeof RUNS)[number] = 'workspace';

  /** Providers in addition to `template`: name → path of a module whose default export is a provider. */
  @IsObject()
  providers: Record<string, string> = {};
}
