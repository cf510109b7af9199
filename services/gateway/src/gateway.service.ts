import { Inject, Injectable } from '@nestjs/common';
import { Blobs, type Bus, ConnectionGuard, countHeldMessages, crashPoint, inline, lastMessageOn } from '@reins/bus';
import {
  assertNotExpired,
  type CommandRunSubmit,
  DEFAULT_AGENT,
  defined,
  type EventOf,
  type EventType,
  eventFilter,
  eventSubject,
  isObject,
  isToken,
  type JsonObject,
  journalSubject,
  parseEvent,
  ReinsError,
} from '@reins/contracts';
import { endOfCommit, hasEnded, hashJson } from '@reins/journal';
import { BUS, HarnessWatch, Settings, type SpanContext } from '@reins/service-kit';
import { findAgent } from '@reins/workspace-plan';
import { monotonicFactory } from 'ulid';
import { Admission } from './admission.ts';
import { EventHub } from './events/event-hub.ts';
import type { Caller } from './keys/api-keys.ts';
import { personOf } from './keys/person.ts';
import { exceeded, Quotas, SHARE_OF_SIGNALS } from './quotas.ts';
import { Commands, type CommandType, commandId } from './requests/commands.ts';
import { Expiry } from './requests/expiry.ts';
import { type AcceptedRequest, RequestRecords } from './requests/request-records.ts';
import { checkModel, checkRuntimes } from './requests/requested-runtimes.ts';
import type { AttachmentRef, CancelRequest, SubmitRequest } from './requests/requests.dto.ts';
import { WorkspaceOutlines } from './workspaces/workspace-outlines.ts';
import { Workspaces } from './workspaces/workspaces.service.ts';

const TERMINAL: readonly EventType[] = [
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
];

/** Commands that end a request, or resolve what its other commands wait for. */
const NEVER_REFUSED: ReadonlySet<CommandType> = new Set([
  'command.run.cancel',
  'command.run.halt',
  'command.run.unpark',
]);

/** Metadata of an API call. */
export interface Call {
  readonly caller: Caller;
  readonly idempotencyKey?: string | undefined;
  /** Trace context of the HTTP call. */
  readonly trace?: SpanContext | undefined;
}

export interface Accepted {
  readonly record: AcceptedRequest;
  /** The idempotency key was known, so no new request was created. */
  readonly replayed: boolean;
}

/** Turns API calls into commands. Never reads Postgres. */
@Injectable()
export class GatewayService {
  readonly #newId = monotonicFactory();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly settings: Settings,
    private readonly harnesses: HarnessWatch,
    private readonly admission: Admission,
    private readonly records: RequestRecords,
    private readonly workspaces: Workspaces,
    private readonly outlines: WorkspaceOutlines,
    private readonly commands: Commands,
    private readonly blobs: Blobs,
    private readonly hub: EventHub,
    private readonly quotas: Quotas,
    private readonly expiry: Expiry,
  ) {}

  /**
   * Accepts a request: publishes the command, then stores the record. The command is durable on return. If the record
   * cannot be stored now, it follows later.
   * @throws ReinsError `admission_limited`, `quota_exceeded`, `runtime_missing`, `model_provider_unconfigured`, `workspace_not_found`, `agent_unknown`, `attachment_invalid`, `idempotency_conflict`, `run_expired`, `session_expired`, `service_unavailable`
   */
  async submit(body: SubmitRequest, call: Call): Promise<Accepted> {
    this.quotas.countCall(call.caller.keyId);
    const key = call.idempotencyKey && `${call.caller.keyId} ${call.idempotencyKey}`;
    let connection = new ConnectionGuard(this.bus.nc);
    // A replayed call skips admission: changes since the first call must not cause a refusal.
    const known = key === undefined ? undefined : await this.records.findByKey(key);
    const mine = newRecord(body, known?.revision ?? (await this.#admit(body)), this.#newId);
    const record = known ?? (await this.records.accept(mine, key));
    if (record.bodyHash !== mine.bodyHash) throw conflict();
    const replayed = record.requestId !== mine.requestId;
    const isCurrent = (): boolean => this.bus.state === 'connected' && connection.isSameConnection;
    const publish = (): Promise<void> => this.#publish(record, body, call);
    // The first call with this key may have failed before its command was published.
    if (!replayed || !(await this.#hasEvent(record, 'runtime.request.started'))) {
      // Before publishing: the end of the run may arrive before the acknowledgement.
      this.admission.opened(record.requestId);
      if (!replayed) this.hub.hold(record.requestId);
      crashPoint('request.admitted');
      await publish();
    }
    // Last: after a restore, a record without a command would be a request that never starts. Also for a repeated call: the
    // first one may have failed after its command was published.
    while (!(await this.records.keep(record, isCurrent))) {
      // A restore breaks the connection, and may have removed the key and the acknowledged command.
      connection = new ConnectionGuard(this.bus.nc);
      await this.records.accept(record, key);
      await publish();
    }
    return { record, replayed };
  }

  /** Publishes the command that starts the request. A repeated call publishes it under the same id. */
  async #publish(record: AcceptedRequest, body: SubmitRequest, call: Call): Promise<void> {
    const command = submitCommand(record, body, call);
    try {
      await this.commands.send(`${record.requestId}.submit`, command, { ...call, time: record.acceptedAt });
    } catch (error) {
      // If the command was stored after all, the run is counted when it starts.
      this.admission.closed(record.requestId);
      throw error;
    }
    crashPoint('command.published');
  }

  /** Checks that a new request may be accepted. Returns the tree that it starts from. */
  async #admit(body: SubmitRequest): Promise<string> {
    this.admission.admit();
    checkRuntimes(this.harnesses, this.settings, body);
    checkModel(this.harnesses, this.settings, body);
    await this.expiry.assertCanContinue(body);
    await this.#checkAttachments(body.attachments ?? []);
    const revision = await this.workspaces.resolve(body.workspace.id, body.workspace.revision);
    if (body.agentId !== undefined) await this.#checkAgent(body.agentId, { workspaceId: body.workspace.id, revision });
    return revision;
  }

  /** A workspace that does not compile has no agents: its run reports why. @throws ReinsError `agent_unknown` */
  async #checkAgent(agentId: string, workspace: Parameters<WorkspaceOutlines['of']>[0]): Promise<void> {
    const [first, ...others] = (await this.outlines.of(workspace)).agents;
    if (first) findAgent([first, ...others], agentId);
  }

  /** Sends a cancel command. @throws as `command` */
  cancel(requestId: string, { reason, requestedBy }: CancelRequest, call: Call): Promise<string> {
    const details = { requestedBy: personOf(call.caller, requestedBy), ...defined({ reason }) };
    return this.command(requestId, call, { type: 'command.run.cancel', ...details });
  }

  /** Finds the record of a request. @throws ReinsError `request_not_found`, `run_expired` */
  async find(requestId: string): Promise<AcceptedRequest> {
    const record = (await this.records.find(requestId)) ?? (await this.#findChildRun(requestId));
    if (record) {
      assertNotExpired(record, 'id');
      return record;
    }
    throw new ReinsError({ code: 'request_not_found', message: `request ${requestId} does not exist`, path: 'id' });
  }

  /** Whether the request has ended: according to the event log, or to the journal if its events have left the log. */
  async isEnded(record: AcceptedRequest): Promise<boolean> {
    const found = await Promise.all(TERMINAL.map((type) => this.#hasEvent(record, type)));
    if (found.includes(true)) return true;
    return !(await this.#hasEvent(record, 'runtime.request.started')) && this.#hasEndedJournal(record);
  }

  /** Whether the journal of the request has its end, or is archived. */
  async #hasEndedJournal({ workspaceId, requestId: runId }: AcceptedRequest): Promise<boolean> {
    const subject = journalSubject({ workspaceId, runId }, this.settings.nats.partitions);
    const last = await lastMessageOn(this.bus, 'JOURNAL', subject);
    const end = last && endOfCommit(await inline(this.blobs, last.data));
    return end !== undefined && hasEnded(end.type);
  }

  /** Like `isEnded`, but skips the log lookup for a request that is known to be open. */
  async isClosed(record: AcceptedRequest): Promise<boolean> {
    return !this.admission.isOpen(record.requestId) && this.isEnded(record);
  }

  /** Finds a child run in the event log: it was not submitted here, so it has no record. */
  async #findChildRun(requestId: string): Promise<AcceptedRequest | undefined> {
    const type = 'runtime.request.started';
    const started = await lastMessageOn(this.bus, 'EVENTS', eventFilter({ type, requestId }));
    if (!started) return undefined;
    const { workspaceId, sessionId, agentId } = parseEvent(started.data);
    const acceptedAt = started.time.toISOString();
    return { requestId, bodyHash: '', workspaceId, sessionId, agentId, acceptedAt, revision: '' };
  }

  /**
   * Sends a command to a request that has not ended.
   * @returns the idempotency key of the command in the journal of the run
   * @throws ReinsError `request_not_found`, `run_expired`, `request_ended`, `quota_exceeded`
   */
  async command(requestId: string, call: Call, body: CommandBody): Promise<string> {
    if (!NEVER_REFUSED.has(body.type)) {
      this.quotas.countCall(call.caller.keyId);
      this.quotas.countCommand(requestId, call.caller.keyId, body.type);
    }
    const record = await this.find(requestId);
    const [hasEnded] = await Promise.all([this.isEnded(record), this.#checkHeldCommands(record, body.type)]);
    if (hasEnded) {
      throw new ReinsError({
        code: 'request_ended',
        message: `request ${requestId} has already ended`,
        path: 'id',
      });
    }
    const { sessionId, agentId, workspaceId } = record;
    const idempotencyKey = keyOfCommand(call.caller.keyId, call.idempotencyKey ?? this.#newId(), body);
    const id = commandId(requestId, idempotencyKey);
    const head = { requestId, sessionId, agentId, workspaceId, idempotencyKey };
    const isRepeatable = body.type === 'command.run.answer' && call.idempotencyKey !== undefined;
    if (isRepeatable && body.questionNumber !== undefined) await this.records.keepQuestion(id, body.questionNumber);
    await this.commands.send(id, { ...head, ...body }, call);
    return idempotencyKey;
  }

  /**
   * The question that an earlier answer with the idempotency key of this call was for. The repeated call must not answer
   * a later question, even if the first one came too late.
   * @returns undefined when there was no such call, or its question is not known
   */
  async repeatedQuestion(requestId: string, call: Call, effectId: string): Promise<number | undefined> {
    if (call.idempotencyKey === undefined) return undefined;
    const key = keyOfCommand(call.caller.keyId, call.idempotencyKey, { type: 'command.run.answer', effectId });
    return this.records.questionOf(commandId(requestId, key));
  }

  /** Checks that another command may wait for the request. @throws ReinsError `quota_exceeded` */
  async #checkHeldCommands({ requestId, workspaceId }: AcceptedRequest, type: CommandType): Promise<void> {
    if (NEVER_REFUSED.has(type)) return;
    const { gateway, nats } = this.settings;
    const held = await countHeldMessages(this.bus, { workspaceId, runId: requestId }, nats.partitions);
    const share = type === 'command.signal' ? SHARE_OF_SIGNALS : 1;
    if (held < gateway.maxHeldCommands * share) return;
    const message = `${held} commands wait for request ${requestId}`;
    throw exceeded({ message, path: 'id', setting: 'gateway.maxHeldCommands' });
  }

  async #hasEvent({ workspaceId, requestId }: AcceptedRequest, type: EventType): Promise<boolean> {
    return (await lastMessageOn(this.bus, 'EVENTS', eventSubject({ type, workspaceId, requestId }))) !== undefined;
  }

  async #checkAttachments(attachments: readonly AttachmentRef[]): Promise<void> {
    const exist = await Promise.all(attachments.map(({ sha256 }) => this.blobs.has(sha256)));
    const missing = attachments.flatMap(({ sha256 }, index) => (exist[index] ? [] : [{ sha256, index }]));
    if (missing.length === 0) return;
    throw new ReinsError(
      missing.map(({ sha256, index }) => ({
        code: 'attachment_invalid' as const,
        message: `blob ${sha256} does not exist`,
        path: `attachments[${index}].sha256`,
        hint: 'Upload it with POST /api/v1/attachments.',
      })),
    );
  }
}

/** The fields that every command has. */
type CommonField = 'requestId' | 'sessionId' | 'agentId' | 'workspaceId' | 'idempotencyKey';
/** A command to an existing run, without the common fields. */
export type CommandBody = {
  [T in Exclude<CommandType, 'command.run.submit'>]: Omit<EventOf<T>, CommonField>;
}[Exclude<CommandType, 'command.run.submit'>];

/** The type and the target of a command. */
type CommandTarget = CommandBody | { readonly type: 'command.run.answer'; readonly effectId: string };

/** The idempotency key of a command in the journal. It is scoped to the caller and the target of the command. */
const keyOfCommand = (keyId: string, givenKey: string, target: CommandTarget): string =>
  `${target.type}.${hashJson([keyId, givenKey, commandTarget(target)])}`;

/** What a command targets within its run; `null` for the run itself. */
function commandTarget(body: CommandTarget): string | null {
  if ('effectId' in body) return body.effectId;
  if ('approvalId' in body) return body.approvalId;
  if ('process' in body) return body.process;
  return 'name' in body ? body.name : null;
}

function newRecord(body: SubmitRequest, revision: string, newId: () => string): AcceptedRequest {
  return {
    requestId: newId(),
    bodyHash: hashJson(JSON.parse(JSON.stringify(body))),
    workspaceId: body.workspace.id,
    sessionId: body.sessionId ?? newId(),
    agentId: body.agentId ?? DEFAULT_AGENT,
    acceptedAt: new Date().toISOString(),
    revision,
    ...defined({ retryOf: body.retryOf }),
  };
}

function submitCommand(
  record: AcceptedRequest,
  body: SubmitRequest,
  { caller, idempotencyKey }: Call,
): CommandRunSubmit {
  const { requestId, sessionId, agentId, workspaceId, revision, acceptedAt } = record;
  const { input, attachments, model, thinkingValue, stages, metadata, process, retryOf, fork } = body;
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
    ...defined({ model, thinkingValue }),
    ...(stages && { stages }),
    metadata: withActor(metadata, caller),
    ...defined({ userId: userOf(metadata, caller) }),
    ...defined({ process, retryOf }),
    ...(fork && { fork: { requestId: fork.requestId, at: fork.at } }),
    submittedAt: acceptedAt,
  };
}

/** The user whose memory the run may use: the one that the client names, or else the API key. */
function userOf(metadata: JsonObject | undefined, { name }: Caller): string | undefined {
  const { user } = isObject(metadata?.context) ? metadata.context : {};
  const id = user === undefined || user === null ? name : isObject(user) ? user.id : undefined;
  return isToken(id) ? id : undefined;
}

/** Names the API key of the caller in the context of a request. It replaces what the caller says. */
function withActor(metadata: JsonObject | undefined, { name }: Caller): JsonObject {
  const context = isObject(metadata?.context) ? metadata.context : {};
  return { ...metadata, context: { ...context, actor: name } };
}

const conflict = (): ReinsError =>
  new ReinsError({
    code: 'idempotency_conflict',
    message: 'the idempotency key was used before with another body',
    path: 'idempotency-key',
    hint: 'Use a new key for a new request.',
  });
