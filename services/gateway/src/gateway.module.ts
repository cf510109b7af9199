import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { Blobs, type Bus, EventPublisher } from '@reins/bus';
import {
  BUS,
  BusModule,
  HarnessWatch,
  LOG,
  type Logger,
  Settings,
  TELEMETRY,
  type Telemetry,
} from '@reins/service-kit';
import { openDatabase } from '@reins/store';
import { TreeStore } from '@reins/workspace-tree';
import { Admission } from './admission.ts';
import { AgentProcessesController } from './agent-processes/agent-processes.controller.ts';
import { AttachmentStore } from './attachments/attachment-store.ts';
import { AttachmentsController } from './attachments/attachments.controller.ts';
import { DeadLettersController } from './dead-letters/dead-letters.controller.ts';
import { DirectivesController } from './directives/directives.controller.ts';
import { EventHub } from './events/event-hub.ts';
import { EventsController } from './events/events.controller.ts';
import { EventPages } from './events/events.service.ts';
import { RunLog } from './events/run-log.ts';
import { GatewayHandlers } from './gateway.handlers.ts';
import { GatewayMetrics } from './gateway.metrics.ts';
import { GatewayService } from './gateway.service.ts';
import { HarnessesController } from './harnesses/harnesses.controller.ts';
import { ApiKeyGuard } from './keys/api-key.guard.ts';
import { ApiKeys } from './keys/api-keys.ts';
import { MemoryController } from './memory/memory.controller.ts';
import { RequestMemories } from './memory/request-memory.ts';
import { Answers } from './protocols/answer/answers.ts';
import { RequestEvents } from './protocols/answer/follow.ts';
import { ChatController } from './protocols/openai/chat/chat.controller.ts';
import { ChatCompletions } from './protocols/openai/chat/chat-completions.ts';
import { AgentModels } from './protocols/openai/models/agent-models.ts';
import { ModelsController } from './protocols/openai/models/models.controller.ts';
import { OpenAiRequests } from './protocols/openai/openai-requests.ts';
import { ResponseRecords } from './protocols/openai/responses/response-records.ts';
import { ResponsesController } from './protocols/openai/responses/responses.controller.ts';
import { Responses } from './protocols/openai/responses/responses.service.ts';
import { Quotas } from './quotas.ts';
import { Commands } from './requests/commands.ts';
import { Expiry } from './requests/expiry.ts';
import { ParkedRequests } from './requests/parked-requests.ts';
import { ReadModel } from './requests/read-model.ts';
import { RequestReader } from './requests/request-reader.ts';
import { RequestRecords } from './requests/request-records.ts';
import { RequestsController } from './requests/requests.controller.ts';
import { Retries } from './requests/retries.ts';
import { StageQueues } from './requests/stage-queues.ts';
import { RunCommandsController } from './run-commands/run-commands.controller.ts';
import { StreamRoom } from './stream-room.ts';
import { TasksController } from './tasks/tasks.controller.ts';
import { TreesController } from './trees/trees.controller.ts';
import { TreesService } from './trees/trees.service.ts';
import { WorkspaceOutlines } from './workspaces/workspace-outlines.ts';
import { WorkspacesController } from './workspaces/workspaces.controller.ts';
import { Workspaces } from './workspaces/workspaces.service.ts';

const CONNECT_MS = 1_000;
const STATEMENT_MS = 5_000;

function readModel({ database }: Settings, log: Logger): ReadModel {
  const limits = { maxConnections: database.poolSize, connectTimeoutMs: CONNECT_MS, statementTimeoutMs: STATEMENT_MS };
  return new ReadModel(openDatabase({ url: database.url, name: 'reins-gateway', ...limits }), log);
}

function admission({ gateway }: Settings, bus: Bus, room: StreamRoom): Admission {
  const unavailable = (): string | undefined => {
    if (bus.state !== 'connected') return `the bus is ${bus.state}`;
    return room.full && `${room.full} is almost full`;
  };
  return new Admission({ maxOpen: gateway.maxOpenRequests, unavailable });
}

@Module({
  imports: [BusModule.with(Blobs, TreeStore, HarnessWatch, EventPublisher)],
  controllers: [
    WorkspacesController,
    RequestsController,
    RunCommandsController,
    TasksController,
    DeadLettersController,
    AgentProcessesController,
    HarnessesController,
    DirectivesController,
    EventsController,
    TreesController,
    AttachmentsController,
    MemoryController,
    ModelsController,
    ChatController,
    ResponsesController,
  ],
  providers: [
    { provide: ApiKeys, inject: [BUS], useFactory: (bus: Bus) => ApiKeys.open(bus) },
    {
      provide: RequestRecords,
      inject: [BUS, LOG, Settings],
      useFactory: (bus: Bus, log: Logger, { retention }: Settings) => RequestRecords.open(bus, log, retention.runsMs),
    },
    { provide: Expiry, inject: [BUS, RequestRecords], useFactory: Expiry.open },
    {
      provide: ParkedRequests,
      inject: [BUS, Settings],
      useFactory: (bus: Bus, { nats }: Settings) => ParkedRequests.open(bus, nats.partitions),
    },
    { provide: Workspaces, inject: [BUS, TreeStore], useFactory: Workspaces.open },
    {
      provide: Commands,
      inject: [EventPublisher, Settings, TELEMETRY],
      useFactory: (events: EventPublisher, { nats }: Settings, telemetry: Telemetry) =>
        new Commands(events, nats.partitions, telemetry),
    },
    { provide: RunLog, inject: [BUS, Blobs], useFactory: (bus: Bus, blobs: Blobs) => new RunLog(bus, blobs) },
    { provide: ReadModel, inject: [Settings, LOG], useFactory: readModel },
    { provide: StreamRoom, inject: [BUS, LOG], useFactory: StreamRoom.open },
    { provide: Admission, inject: [Settings, BUS, StreamRoom], useFactory: admission },
    { provide: Quotas, inject: [Settings], useFactory: ({ gateway }: Settings) => new Quotas(gateway) },
    EventHub,
    ApiKeyGuard,
    EventPages,
    RequestMemories,
    GatewayService,
    { provide: Retries, inject: [BUS, Settings, GatewayService], useFactory: Retries.open },
    GatewayHandlers,
    GatewayMetrics,
    AttachmentStore,
    WorkspaceOutlines,
    RequestEvents,
    Answers,
    AgentModels,
    OpenAiRequests,
    ChatCompletions,
    { provide: ResponseRecords, inject: [BUS], useFactory: ResponseRecords.open },
    Responses,
    RequestReader,
    StageQueues,
    TreesService,
  ],
})
export class GatewayModule implements BeforeApplicationShutdown {
  constructor(
    private readonly keys: ApiKeys,
    private readonly model: ReadModel,
    private readonly records: RequestRecords,
    private readonly room: StreamRoom,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.keys.close();
    this.records.close();
    this.room.close();
    await this.model.close();
  }
}
