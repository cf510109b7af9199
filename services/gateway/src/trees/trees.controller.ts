import { Get, Header, HttpCode, Param, Post, Query, Req, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Blobs } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { FastifyRequest } from 'fastify';
import { Api, problemResponse } from '../http/api.ts';
import { isSha256 } from '../http/rules.ts';
import { checkedId } from '../requests/requests.controller.ts';
import { UploadGuard } from '../upload.guard.ts';
import { FileQuery, StageQuery, StoredBlob, TreeChanges, TreeView } from './trees.dto.ts';
import { TreesService } from './trees.service.ts';

const OCTETS = 'application/octet-stream';
const BYTES = { content: { [OCTETS]: { schema: { type: 'string', format: 'binary' } } } } as const;
/** Content-addressed responses never change. */
const IMMUTABLE = 'private, max-age=31536000, immutable';

@Api('files')
export class TreesController {
  constructor(
    private readonly trees: TreesService,
    private readonly blobs: Blobs,
  ) {}

  @Get('requests/:id/tree')
  @ApiOperation({ summary: 'Get the files of a request or of one of its stages' })
  @ApiOkResponse({ type: TreeView })
  async ofRequest(@Param('id') id: string, @Query() query: StageQuery): Promise<TreeView> {
    return this.trees.view((await this.trees.of(checkedId(id), query)).to);
  }

  @Get('requests/:id/changes')
  @ApiOperation({ summary: 'List the files that a request changed, up to one of its stages' })
  @ApiOkResponse({ type: TreeChanges })
  changes(@Param('id') id: string, @Query() query: StageQuery): Promise<TreeChanges> {
    return this.trees.changes(checkedId(id), query);
  }

  @Get('trees/:tree')
  @ApiOperation({ summary: 'Get the files of a tree' })
  @ApiOkResponse({ type: TreeView })
  tree(@Param('tree') tree: string): Promise<TreeView> {
    return this.trees.view(tree);
  }

  @Get('trees/:tree/content')
  @ApiOperation({ summary: 'Get the content of a file of a tree' })
  @ApiOkResponse(BYTES)
  @Header('cache-control', IMMUTABLE)
  async content(@Param('tree') tree: string, @Query() { path }: FileQuery): Promise<StreamableFile> {
    return new StreamableFile(await this.trees.read(tree, path));
  }

  @Post('blobs')
  @UseGuards(UploadGuard)
  @HttpCode(201)
  @ApiOperation({ summary: 'Store bytes for an attachment' })
  @ApiConsumes(OCTETS)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiCreatedResponse({ type: StoredBlob })
  @problemResponse(413)
  @problemResponse(415)
  store(@Req() request: FastifyRequest): Promise<StoredBlob> {
    if (request.body instanceof Uint8Array) return this.blobs.put(request.body);
    throw new ReinsError({ code: 'media_type_unsupported', message: `the body must be ${OCTETS}` });
  }

  @Get('blobs/:sha256')
  @ApiOperation({ summary: 'Get stored bytes by their hash' })
  @ApiOkResponse(BYTES)
  @Header('cache-control', IMMUTABLE)
  async blob(@Param('sha256') sha256: string): Promise<StreamableFile> {
    if (isSha256(sha256)) return new StreamableFile(await this.blobs.get(sha256));
    throw new ReinsError({ code: 'blob_not_found', message: 'no blob has this hash', path: 'sha256' });
  }
}
