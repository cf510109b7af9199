import { Inject, Injectable } from '@nestjs/common';
import { Blobs, type Bus, lastOf } from '@reins/bus';
import { type CommandRunSubmit, type EventType, eventSubject, ReinsError } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import { BUS, HarnessWatch, Settings } from '@reins/service-kit';
import { monotonicFactory } from 'ulid';
import { Admission } from './admission.ts';
import type { Caller } from './keys/api-keys.ts';
import { Commands } from './requests/commands.ts';
import { type AcceptedRequest, RequestRecords } from './requests/request-records.ts';
import type { AnswerRequest, ApprovalDecision, AttachmentRef, SubmitRequest } from './requests/requests.dto.ts';
import { Workspaces } from './workspaces/workspaces.service.ts';

const DEFAULT_AGENT = 'main';
const TERMINAL: readonly EventType[] = [
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
];

export interface Accepted {
  readonly record: AcceptedRequest;
  /** The idempotency key was known: nothing new was made. */
  readonly replayed: boolean;
}

/** Turns calls into commands. Nothing here reads Postgres. */
@Injectable()
export class GatewayService {
  readonly #newId = monotonicFactory();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(HarnessWatch) private readonly harnesses: HarnessWatch,
    @Inject(Admission) private readonly admission: Admission,
    @Inject(RequestRecords) private readonly records: RequestRecords,
    @Inject(Workspaces) private readonly workspaces: Workspaces,
    @Inject(Commands) private readonly commands: Commands,
    @Inject(Blobs) private readonly blobs: Blobs,
  ) {}

  /**
   * Accepts a request: the record first, then the command. When this returns both are durable.
   * @throws ReinsError `admission_limited`, `runtime_missing`, `workspace_not_found`, `attachment_invalid`, `idempotency_conflict`, `service_unavailable`
   */
  async submit(body: SubmitRequest, caller: Caller, idempotencyKey: string | undefined): Promise<Accepted> {
    this.admission.admit();
    this.#checkRuntimes(body.stages ?? {});
    const revision = await this.workspaces.resolve(body.workspace.id, body.workspace.revision);
    await this.#checkAttachments(body.attachments ?? []);
    const mine = this.#newRecord(body, revision);
    const record = await this.records.accept(mine, idempotencyKey && `${caller.keyId} ${idempotencyKey}`);
    if (record.bodyHash !== mine.bodyHash) throw conflict();
    const replayed = record.requestId !== mine.requestId;
    // A key whose first call broke off before its command gets the command now.
    if (!replayed || !(await this.#isTold(record, 'runtime.request.started'))) {
      await this.commands.send(
        `${record.requestId}.submit`,
        submitCommand(record, body, idempotencyKey),
        record.acceptedAt,
      );
      this.admission.began(record.requestId);
    }
    return { record, replayed };
  }

  /** What the profile and the request name must have been offered by a healthy host. */
  #checkRuntimes(stages: Readonly<Record<string, string>>): void {
    const { runtimeProfile } = this.settings;
    const named = [runtimeProfile.default, ...Object.values({ ...runtimeProfile.stages, ...stages })];
    const message = this.harnesses.whyNot(named);
    if (message === undefined) return;
    const hint =
      'start a harness host that offers it, or map the stage to another runtime; `reins doctor` shows the table';
    throw new ReinsError({ code: 'runtime_missing', message, path: 'stages', hint });
  }

  /** @throws ReinsError `request_not_found`, `request_ended` */
  async cancel(requestId: string, caller: Caller, idempotencyKey: string | undefined, reason?: string): Promise<void> {
    const { head, key } = await this.#aboutOpen(requestId, idempotencyKey);
    const said = { requestedBy: caller.name, ...(reason !== undefined && { reason }) };
    await this.commands.send(`${requestId}.${key}`, {
      type: 'command.run.cancel',
      ...head,
      idempotencyKey: key,
      ...said,
    });
  }

  /** @throws ReinsError `request_not_found`, `request_ended` */
  async answer(
    requestId: string,
    { effectId, answer }: AnswerRequest,
    idempotencyKey: string | undefined,
  ): Promise<void> {
    const { head, key } = await this.#aboutOpen(requestId, idempotencyKey);
    await this.commands.send(`${requestId}.${key}`, {
      type: 'command.run.answer',
      ...head,
      idempotencyKey: key,
      effectId,
      answer,
    });
  }

  /** @throws ReinsError `request_not_found`, `request_ended` */
  async resolveApproval(
    requestId: string,
    approvalId: string,
    { decision, comment }: ApprovalDecision,
    caller: Caller,
    idempotencyKey: string | undefined,
  ): Promise<void> {
    const { head, key } = await this.#aboutOpen(requestId, idempotencyKey);
    const decided = { approvalId, decision, decidedBy: caller.name, ...(comment !== undefined && { comment }) };
    await this.commands.send(`${requestId}.${key}`, {
      type: 'command.approval.resolve',
      ...head,
      idempotencyKey: key,
      ...decided,
    });
  }

  /** @throws ReinsError `request_not_found` */
  async find(requestId: string): Promise<AcceptedRequest> {
    const record = await this.records.find(requestId);
    if (record) return record;
    throw new ReinsError({ code: 'request_not_found', message: `there is no request ${requestId}`, path: 'id' });
  }

  /** Whether the log tells of the request's end. */
  async isEnded(record: AcceptedRequest): Promise<boolean> {
    const told = await Promise.all(TERMINAL.map((type) => this.#isTold(record, type)));
    return told.includes(true);
  }

  async #aboutOpen(requestId: string, idempotencyKey: string | undefined): Promise<{ head: CommandHead; key: string }> {
    const record = await this.find(requestId);
    if (await this.isEnded(record)) {
      throw new ReinsError({
        code: 'request_ended',
        message: `the request ${requestId} has already ended`,
        path: 'id',
      });
    }
    const { sessionId, agentId, workspaceId } = record;
    return { head: { requestId, sessionId, agentId, workspaceId }, key: idempotencyKey ?? this.#newId() };
  }

  async #isTold({ workspaceId, requestId }: AcceptedRequest, type: EventType): Promise<boolean> {
    return (await lastOf(this.bus, 'EVENTS', eventSubject({ type, workspaceId, requestId }))) !== undefined;
  }

  #newRecord(body: SubmitRequest, revision: string): AcceptedRequest {
    return {
      requestId: this.#newId(),
      bodyHash: hashJson(JSON.parse(JSON.stringify(body))),
      workspaceId: body.workspace.id,
      sessionId: body.sessionId ?? this.#newId(),
      agentId: body.agentId ?? DEFAULT_AGENT,
      acceptedAt: new Date().toISOString(),
      revision,
    };
  }

  async #checkAttachments(attachments: readonly AttachmentRef[]): Promise<void> {
    const there = await Promise.all(attachments.map(({ sha256 }) => this.blobs.has(sha256)));
    const missing = attachments.flatMap(({ sha256 }, index) => (there[index] ? [] : [{ sha256, index }]));
    if (missing.length === 0) return;
    throw new ReinsError(
      missing.map(({ sha256, index }) => ({
        code: 'attachment_invalid' as const,
        message: `no blob ${sha256} is stored`,
        path: `attachments[${index}].sha256`,
        hint: 'upload it with POST /api/v1/blobs',
      })),
    );
  }
}

type CommandHead = Pick<CommandRunSubmit, 'requestId' | 'sessionId' | 'agentId' | 'workspaceId'>;

function submitCommand(
  record: AcceptedRequest,
  body: SubmitRequest,
  idempotencyKey: string | undefined,
): CommandRunSubmit {
  const { requestId, sessionId, agentId, workspaceId, revision, acceptedAt } = record;
  const { input, attachments, model, thinkingValue, stages, metadata } = body;
  return {
    type: 'command.run.submit',
    requestId,
    sessionId,
    agentId,
    workspaceId,
    idempotencyKey: idempotencyKey ?? requestId,
    revision,
    input,
    ...(attachments && { attachments }),
    ...(model !== undefined && { model }),
    ...(thinkingValue !== undefined && { thinkingValue }),
    ...(stages && { stages }),
    ...(metadata && { metadata }),
    submittedAt: acceptedAt,
  };
}

const conflict = (): ReinsError =>
  new ReinsError({
    code: 'idempotency_conflict',
    message: 'this idempotency key was used with another body',
    path: 'idempotency-key',
    hint: 'use a new key for another request',
  });
