import { IsOptional, IsString, MinLength } from 'class-validator';

export class ChaosSettings {
  /**
   * A folder; a file in it that is named like a crash point ends the first process that comes by, one in its `poison/` that is named like the
   * subject of a message ends every process that is handed it. For the chaos runner and tests alone.
   */
  @IsOptional()
  @IsString()
  @MinLength(1)
  crashPoints?: string;
}
