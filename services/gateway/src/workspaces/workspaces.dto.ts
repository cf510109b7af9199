import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { TreeEntry } from '@reins/workspace-tree';
import { IsArray } from 'class-validator';
import { Field } from '../http/field.ts';
import { IsToken } from '../http/rules.ts';
import { Untransformed } from '../http/validation.ts';

export class WorkspaceFile {
  @ApiProperty({ description: 'relative path, with `/`', example: 'workspace.yaml' })
  path!: string;

  @ApiProperty()
  content!: string;

  @ApiPropertyOptional({ enum: ['utf8', 'base64'], default: 'utf8' })
  encoding?: 'utf8' | 'base64';

  @ApiPropertyOptional({ enum: ['644', '755', 'link'], default: '644' })
  mode?: '644' | '755' | 'link';
}

/** The files of a workspace folder. `.reinsignore` files exclude files. */
export class UploadWorkspace {
  @Field()
  @IsToken()
  workspaceId!: string;

  /** Validated by `treeEntriesOf`, because there may be tens of thousands of files. */
  @Field({ type: [WorkspaceFile] })
  @Untransformed()
  @IsArray()
  files!: TreeEntry[];
}

export class WorkspaceRevision {
  @ApiProperty()
  workspaceId!: string;

  @ApiProperty({ description: 'the id of the tree; equal files have the same revision' })
  revision!: string;

  @ApiProperty()
  files!: number;

  @ApiProperty()
  bytes!: number;

  @ApiProperty({ description: 'number of files that were not stored yet' })
  uploadedFiles!: number;
}
