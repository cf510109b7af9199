import type { Channel, Contract, Message } from './model.ts';
import { type Schema, schemaOf } from './write-schema.ts';

const SCHEMAS = '#/components/schemas';

/** Descriptions of subject parameters. */
const PARAMETERS: Readonly<Record<string, string>> = {
  workspaceId: 'the workspace: 1 to 64 letters, digits, "_" or "-"',
  requestId: 'the request and its run; "_" without a request',
  runtimeId: 'the runtime of the stage, so that hosts can filter for their runtimes',
  partition: 'FNV-1a of the request id, modulo the number of partitions',
  effectId: 'the effect',
  type: 'the type of the answer',
  stream: 'the original stream',
  subject: 'the original subject',
};

const STREAMS: Readonly<Record<Channel, string>> = {
  fact: 'EVENTS',
  signal: 'EVENTS',
  control: 'EVENTS',
  delta: 'DELTAS',
  inbox: 'INBOX',
};

/** docs/asyncapi.json: every subject of the bus and its messages, as AsyncAPI 3. */
export function writeAsyncapi(contract: Contract): string {
  const events = contract.messages.filter((message) => message.event);
  const channels = [...events.map(eventChannel), ...sharedChannels(contract, events)];
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Reins on NATS JetStream',
      version: '1',
      description:
        'Every subject and its messages. Generated from proto/ by `npm run generate`. Bodies are flat JSON. A body above 64 KiB is replaced by ' +
        'a reference to the object store `blobs`. Headers are CloudEvents 1.0 in binary mode. Consumers ignore unknown fields.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      nats: { host: '127.0.0.1:4222', protocol: 'nats', description: 'NATS server 2.12.3 or newer with JetStream' },
    },
    channels: Object.fromEntries(channels.map(({ id, channel }) => [id, channel])),
    operations: Object.fromEntries(channels.flatMap(operationsOf)),
    components: {
      schemas: Object.fromEntries(contract.messages.map((message) => [message.name, schemaOf(message, SCHEMAS)])),
      messages: {
        ...Object.fromEntries(events.map((message) => [message.name, messageOf(message)])),
        JournalCommit: { name: 'commit', payload: { $ref: `${SCHEMAS}/JournalCommit` } },
        DeadLetter: { name: 'dead', summary: 'The original body, with the reason in the headers', payload: {} },
      },
      messageTraits: { cloudEvent: { headers: HEADERS } },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

interface ChannelOf {
  readonly id: string;
  readonly channel: Schema;
  /** The actions of Reins. A client does the opposite. */
  readonly actions: readonly ('send' | 'receive')[];
}

function channelOf(
  id: string,
  address: string,
  { summary, stream, messages }: { summary: string; stream: string; messages: readonly string[] },
  actions: ChannelOf['actions'],
): ChannelOf {
  const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return {
    id,
    actions,
    channel: {
      address,
      summary,
      description: `Stream ${stream}.`,
      ...(names.length > 0 && {
        parameters: Object.fromEntries(names.map((name) => [name, { description: PARAMETERS[name] }])),
      }),
      messages: Object.fromEntries(messages.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    },
  };
}

function eventChannel({ name, event }: Message): ChannelOf {
  const { type, meaning, channel } = event as NonNullable<Message['event']>;
  const tail = type === 'runtime.stage.requested' ? '.{runtimeId}' : '';
  const about = type.startsWith('command.') ? '' : '.{effectId}';
  const inbox = channel === 'inbox';
  const address = inbox
    ? `inbox.{partition}.${type}.{workspaceId}.{requestId}${about}`
    : `${type}.{workspaceId}.{requestId}${tail}`;
  const what = { summary: meaning, stream: STREAMS[channel], messages: [name] };
  return channelOf(type, address, what, inbox ? ['receive'] : ['send']);
}

/** Subjects with messages of more than one type. */
function sharedChannels({ messages }: Contract, events: readonly Message[]): ChannelOf[] {
  const answers = events.filter(({ event, fields }) => event?.channel === 'fact' && isAnswer(event.type, fields));
  const directive = messages.find(({ event }) => event?.type === 'control.directive.emitted');
  return [
    channelOf(
      'answers',
      'inbox.{partition}.{type}.{workspaceId}.{requestId}.{effectId}',
      {
        summary: 'The answer of a worker: a proposed fact. The request names this subject in `reins-reply`',
        stream: 'INBOX',
        messages: answers.map(({ name }) => name),
      },
      ['receive', 'send'],
    ),
    channelOf(
      'directives',
      'control.directive.emitted',
      {
        summary: 'Every directive, republished on one plain subject with at-most-once delivery',
        stream: 'none: republished from EVENTS',
        messages: directive ? [directive.name] : [],
      },
      ['send'],
    ),
    channelOf(
      'journal',
      'journal.{partition}.{workspaceId}.{requestId}',
      { summary: 'The journal of a run: commits of entries', stream: 'JOURNAL', messages: ['JournalCommit'] },
      ['send', 'receive'],
    ),
    channelOf(
      'dead',
      'dead.{stream}.{subject}',
      { summary: 'Messages that could not be handled', stream: 'DEAD', messages: ['DeadLetter'] },
      ['send'],
    ),
  ];
}

/** Whether the fact concerns an effect and is not a request. */
const isAnswer = (type: string, fields: Message['fields']): boolean =>
  !type.endsWith('.requested') &&
  fields.some(({ name }) => name === 'effectId') &&
  !type.startsWith('runtime.request.');

function operationsOf({ id, actions }: ChannelOf): [string, Schema][] {
  return actions.map((action) => [`${action}.${id}`, { action, channel: { $ref: `#/channels/${id}` } }]);
}

function messageOf({ name, doc, event }: Message): Schema {
  return {
    name: event?.type,
    title: event?.type,
    summary: doc.replaceAll('\n', ' '),
    contentType: 'application/json',
    traits: [{ $ref: '#/components/messageTraits/cloudEvent' }],
    payload: { $ref: `${SCHEMAS}/${name}` },
  };
}

const text = (description: string): Schema => ({ type: 'string', description });

const HEADERS: Schema = {
  type: 'object',
  required: ['ce-id', 'ce-type', 'ce-source', 'ce-time', 'ce-specversion', 'Nats-Msg-Id'],
  properties: {
    'ce-id': text('the event id; for a fact derived from the journal entry'),
    'ce-type': text('the event type, as in the body'),
    'ce-source': text('the publisher'),
    'ce-time': { type: 'string', format: 'date-time', description: 'time of publication' },
    'ce-specversion': { const: '1.0' },
    'ce-datacontenttype': { const: 'application/json' },
    'Nats-Msg-Id': text('same as ce-id; the stream drops a repeat within its duplicate window'),
    traceparent: text('W3C trace context'),
    tracestate: text('W3C trace state of the caller'),
    'reins-causation': text('the id of the event that caused this one'),
    'reins-repaired': text('`true` for a fact that the event log had lost, and that was published again'),
    'reins-version': text('for a fact: version of the journal entry that it is derived from'),
    'reins-reply': text('for a request: subject of the answer, with "$" in place of its type'),
    'ce-traceparent': text('same as traceparent'),
    'ce-tracestate': text('same as tracestate'),
    'ce-causation': text('same as reins-causation'),
    'ce-repaired': text('same as reins-repaired'),
    'ce-version': text('same as reins-version'),
    'ce-reply': text('same as reins-reply'),
  },
};
