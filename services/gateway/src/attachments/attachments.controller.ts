import { HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';
import { ReinsError } from '@reins/contracts';
import type { FastifyRequest } from 'fastify';
import { Api, problemResponse } from '../http/api.ts';
import { UploadGuard } from '../upload.guard.ts';
import { AttachmentStore } from './attachment-store.ts';
import { AttachmentQuery, StoredAttachment } from './attachments.dto.ts';

const OCTETS = 'application/octet-stream';

@Api('files')
export class AttachmentsController {
  constructor(private readonly store: AttachmentStore) {}

  @Post('attachments')
  @UseGuards(UploadGuard)
  @HttpCode(201)
  @ApiOperation({
    summary: 'Upload a file to attach to a request',
    description: 'The response is an entry for `attachments` of a request. Equal files are stored once.',
  })
  @ApiConsumes(OCTETS)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiCreatedResponse({ type: StoredAttachment })
  @problemResponse(413)
  @problemResponse(415)
  async upload(
    @Query() { name, mediaType }: AttachmentQuery,
    @Req() { body }: FastifyRequest,
  ): Promise<StoredAttachment> {
    if (!(body instanceof Uint8Array)) {
      throw new ReinsError({ code: 'media_type_unsupported', message: `the body must be ${OCTETS}` });
    }
    return this.store.put({ bytes: body, name, mediaType, path: 'body' });
  }
}
