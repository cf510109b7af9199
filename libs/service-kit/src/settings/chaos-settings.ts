import { IsOptional, IsString, MinLength } from 'class-validator';

export class ChaosSettings {
  /**
   * Folder of crash points, for the chaos runner and tests only. A file named after a crash point kills the first
   * process that reaches it. A file `poison/<subject>` kills every process that receives a message with that subject.
   */
  @IsOptional()
  @IsString()
  @MinLength(1)
  crashPoints?: string;
}
