import { IsOptional, IsString, MinLength } from 'class-validator';

export class ChaosSettings {
  /** A folder; a file in it that is named like a crash point ends the first process that comes by. For the chaos runner alone. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  crashPoints?: string;
}
