import { ApiProperty } from '@nestjs/swagger';
import { STAGES } from '@reins/contracts';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsString, MaxLength, Min } from 'class-validator';
import { Field } from '../http/field.ts';
import { Optional } from '../http/rules.ts';

export class StageQuery {
  @Field({
    description: 'use the tree of this stage; default: the current tree of the run',
  })
  @Optional()
  @IsIn(STAGES)
  stage?: string;

  @Field({
    description: 'number of the completed stage run, from 1; default: the last one',
  })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  run?: number;
}

export class FileQuery {
  @Field({ description: 'path of a file in the tree' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(4096)
  path!: string;
}

export class TreeFileView {
  @ApiProperty()
  path!: string;

  @ApiProperty({ enum: ['644', '755', 'link'], description: 'the content of a link is its target' })
  mode!: string;

  @ApiProperty()
  sha256!: string;

  @ApiProperty()
  size!: number;
}

export class TreeView {
  @ApiProperty()
  tree!: string;

  @ApiProperty({ type: [TreeFileView], description: 'sorted by path' })
  files!: TreeFileView[];
}

export class ChangedFile {
  @ApiProperty()
  path!: string;

  @ApiProperty({ enum: ['added', 'modified', 'deleted'] })
  change!: string;
}

export class TreeChanges {
  @ApiProperty({ description: 'the tree at the start of the request' })
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
