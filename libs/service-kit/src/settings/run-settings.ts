import type { Stage } from '@reins/contracts';
import { IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { SANDBOX_RULES, TOKEN } from './names.ts';
import type { StageSettings } from './stage-settings.ts';
import { WithoutPassword } from './without-password.ts';

export class AuthoredProcessSettings {
  /** `required`: authored processes run only in isolation by the operating system. `preferred`: in the best isolation of the host. */
  @IsIn(SANDBOX_RULES)
  sandbox: (typeof SANDBOX_RULES)[number] = 'preferred';
}

export class RuntimeProfileSettings {
  /** Runtime of every stage that `stages` does not name. */
  @Matches(TOKEN)
  default = 'pi';

  /** Stage → runtime id. In a file, a stage may also be a table with its runtime and `stageSettings`. */
  @IsObject()
  stages: Partial<Record<Stage, string>> = {};

  /** What the tables of stages say next to the runtimes. It is not a setting of its own. */
  declare stageSettings?: Partial<Record<Stage, StageSettings>>;

  /** Runtimes that a workspace may select in its `runtime_profile`. */
  @IsArray()
  @Matches(TOKEN, { each: true })
  workspaceMayUse: string[] = [];
}

export class PrepareSettings {
  /** Milliseconds after which a missing context is left out of the prompt. */
  @IsInt()
  @Min(1)
  contextDeadlineMs = 1_500;

  /** Maximum tokens of a context in the prompt, by context id, overriding the defaults. */
  @IsObject()
  contextTokens: Record<string, number> = {};

  /** Timeout in milliseconds for extracting the text of an attached document. */
  @IsInt()
  @Min(100)
  extractDeadlineMs = 20_000;

  /** Maximum heap of the text extraction in megabytes. */
  @IsInt()
  @Min(32)
  extractMemoryMb = 256;

  /**
   * Folder with skills of the installation: `<id>/SKILL.md`. They take precedence over workspace skills with the same
   * id.
   */
  @IsOptional()
  @IsString()
  skillsDir?: string;

  /** URL of the installation's runtime tools; without it runs have no runtime tools. */
  @IsOptional()
  @IsString()
  @WithoutPassword()
  runtimeApiUrl?: string;
}

/** The operator's desktop: its browser, and the context that it reports about what the operator is viewing. */
export class DesktopSettings {
  /** Whether runs may use the desktop's browser. */
  @IsIn(['off', 'on'])
  browser: 'off' | 'on' = 'off';

  @IsOptional()
  @IsString()
  @WithoutPassword()
  url?: string;

  /** Access token for the desktop. */
  @IsOptional()
  @IsString()
  token?: string;
}

export class LimitsSettings {
  /** Milliseconds that a stage may wait for a host that is not busy. */
  @IsInt()
  @Min(1000)
  stageStartWithinMs = 120_000;

  /** Milliseconds that an attempt at a stage may wait while all hosts of its runtime are busy, or while it has none. */
  @IsInt()
  @Min(1000)
  stageQueueForMs = 21_600_000;

  /** Milliseconds that a host may take to prepare a stage: files, services, and the setup of applications. */
  @IsInt()
  @Min(1000)
  stagePrepareForMs = 900_000;

  /** Milliseconds that a stage may run. */
  @IsInt()
  @Min(1000)
  stageRunForMs = 1_800_000;

  @IsInt()
  @Min(1)
  @Max(20)
  stageMaxAttempts = 2;

  /** What to do about a stage that may have acted and whose outcome is unknown. */
  @IsIn(['retry', 'fail'])
  stageOnUnknown: 'retry' | 'fail' = 'retry';

  /** Milliseconds that the plan and prepare steps may take. */
  @IsInt()
  @Min(1000)
  serviceRunForMs = 60_000;

  /** Milliseconds that a run waits for the memory service. Then it continues without. */
  @IsInt()
  @Min(100)
  memoryRunForMs = 2_000;

  /** Milliseconds after which a run fails when a runtime that it names was never available. */
  @IsInt()
  @Min(0)
  runtimeGraceMs = 60_000;

  /** Milliseconds that an executor's question waits for its answer. */
  @IsInt()
  @Min(1000)
  answerWithinMs = 86_400_000;

  /** Milliseconds that a cancelled run waits for its host. */
  @IsInt()
  @Min(0)
  cancelGraceMs = 10_000;
}
