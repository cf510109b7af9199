import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { STAGES } from '@reins/contracts';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsString, MaxLength, Min } from 'class-validator';
import { Optional } from '../http/rules.ts';

export class StageQuery {
  @ApiPropertyOptional({
    enum: STAGES,
    description: 'the tree that this stage ended with; by default the one that the run has now',
  })
  @Optional()
  @IsIn(STAGES)
  stage?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'which completed run of the stage, counted from 1; by default the last one',
  })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  run?: number;
}

export class FileQuery {
  @ApiProperty({ description: 'of a file of the tree' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(4096)
  path!: string;
}

export class TreeFileView {
  @ApiProperty()
  path!: string;

  @ApiProperty({ enum: ['644', '755', 'link'], description: 'of a link the content is its target' })
  mode!: string;

  @ApiProperty()
  sha256!: string;

  @ApiProperty()
  size!: number;
}

export class TreeView {
  @ApiProperty()
  tree!: string;

  @ApiProperty({ type: [TreeFileView], description: 'in the order of their paths' })
  files!: TreeFileView[];
}

export class ChangedFile {
  @ApiProperty()
  path!: string;

  @ApiProperty({ enum: ['added', 'modified', 'deleted'] })
  change!: string;
}

export class TreeChanges {
  @ApiProperty({ description: 'the tree that the request started from' })
  from!: string;

  @ApiProperty()
  to!: string;

  @ApiProperty({ type: [ChangedFile] })
  files!: ChangedFile[];
}

export class StoredBlob {
  @ApiProperty()
  sha256!: string;

  @ApiProperty()
  size!: number;
}
