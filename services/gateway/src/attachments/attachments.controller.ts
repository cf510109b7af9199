import { HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';
import { Blobs } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import { Settings } from '@reins/service-kit';
import type { FastifyRequest } from 'fastify';
import { Api, problemResponse } from '../http/api.ts';
import { UploadGuard } from '../upload.guard.ts';
import { AttachmentQuery, StoredAttachment } from './attachments.dto.ts';
import { mediaTypeOfName } from './media-type.ts';

const OCTETS = 'application/octet-stream';

@Api('files')
export class AttachmentsController {
  constructor(
    private readonly blobs: Blobs,
    private readonly settings: Settings,
  ) {}

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
    this.#check(body);
    const { sha256, size } = await this.blobs.put(body);
    return { sha256, size, mediaType: mediaType ?? mediaTypeOfName(name), name };
  }

  #check(body: Uint8Array): void {
    const { maxAttachmentBytes } = this.settings.gateway;
    if (body.byteLength === 0) {
      throw new ReinsError({ code: 'attachment_invalid', message: 'the file is empty', path: 'body' });
    }
    if (body.byteLength <= maxAttachmentBytes) return;
    throw new ReinsError({
      code: 'payload_too_large',
      message: `an attachment must have at most ${maxAttachmentBytes} bytes`,
      path: 'body',
      hint: 'Add the file to the workspace instead.',
    });
  }
}
