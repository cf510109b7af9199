import { IsArray, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { ALLOWED_DESTINATION, NETWORKS, SANDBOX_RULES, TOKEN } from './names.ts';

const EXECUTOR_SANDBOX_RULES = [...SANDBOX_RULES, 'off'] as const;

export class HostSettings {
  /** Id of this harness host; by default derived from the machine name and the process. */
  @IsOptional()
  @Matches(TOKEN)
  id?: string;

  /** Runtimes that this host offers. */
  @IsArray()
  @Matches(TOKEN, { each: true })
  runtimes: string[] = ['pi', 'openai_chat', 'echo'];

  /** Folder of the executables that `reins harness install` has installed, relative to the working directory. */
  @IsString()
  @IsNotEmpty()
  harnessesDir = '.reins/harnesses';

  /** Maximum number of concurrent stage runs. */
  @IsInt()
  @Min(1)
  @Max(1000)
  slots = 4;

  /** Number of executor processes that are started in advance. */
  @IsInt()
  @Min(0)
  @Max(100)
  warm = 1;

  /**
   * The operating-system sandbox around executors. `required`: stages are refused without one. `preferred`: the best one
   * of the host. `off`: executors have the rights of the host's user.
   */
  @IsIn(EXECUTOR_SANDBOX_RULES)
  sandbox: (typeof EXECUTOR_SANDBOX_RULES)[number] = 'preferred';

  /**
   * What executors and their tools can connect to. `open`: everything that the host can reach. `doors`: the model and the
   * tools of their run. `allow-list`: also the destinations in `allow`.
   */
  @IsIn(NETWORKS)
  network: (typeof NETWORKS)[number] = 'open';

  /** The same for MCP servers and tools of workspaces, which have no doors. */
  @IsIn(NETWORKS)
  servicesNetwork: (typeof NETWORKS)[number] = 'open';

  /** Destinations for `allow-list`: `name`, `*.name`, an address or a network, each with or without `:port`. */
  @IsArray()
  @Matches(ALLOWED_DESTINATION, { each: true })
  allow: string[] = [];

  /** Environment variables that a workspace may reference as `{env:NAME}`. */
  @IsArray()
  @IsString({ each: true })
  secrets: string[] = [];

  /** Disk space for the results of the setups of applications, in MiB. 0: each request runs its own setup. */
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  setupCacheMb = 2048;

  /** How many days an unused result of a setup is kept. */
  @IsInt()
  @Min(1)
  @Max(365)
  setupCacheDays = 30;
}
