import { IsArray, IsIn, IsNotEmpty, IsString } from 'class-validator';

export class PolicySettings {
  /** Files with the policies of the installation, relative to the working directory. Without files, everything is permitted. */
  @IsArray()
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  files: string[] = [];

  /** `enforce`: what policies deny is not executed. `shadow`: it is executed, and recorded as denied. */
  @IsIn(['enforce', 'shadow'])
  mode: 'enforce' | 'shadow' = 'enforce';
}
