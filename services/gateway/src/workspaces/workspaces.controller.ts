import { Body, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';
import { Api, problemResponse } from '../http/api.ts';
import { UploadGuard } from '../upload.guard.ts';
import { treeEntriesOf } from './tree-entries.ts';
import { UploadWorkspace, WorkspaceRevision } from './workspaces.dto.ts';
import { Workspaces } from './workspaces.service.ts';

@Api('workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: Workspaces) {}

  @Post('workspaces')
  @UseGuards(UploadGuard)
  @HttpCode(201)
  @ApiOperation({
    summary: 'Upload a workspace as a revision',
    description: 'Idempotent: equal files have the same revision.',
  })
  @ApiCreatedResponse({ type: WorkspaceRevision })
  @problemResponse(413)
  @problemResponse(415)
  upload(@Body() { workspaceId, files }: UploadWorkspace): Promise<WorkspaceRevision> {
    return this.workspaces.upload(workspaceId, treeEntriesOf(files));
  }
}
