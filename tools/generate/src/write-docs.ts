import type { Channel, Contract, Field, Message } from './model.ts';

/** Fields that every event has. */
const COMMON_FIELDS = new Set(['type', 'requestId', 'sessionId', 'agentId', 'workspaceId']);

const STREAMS: Record<Channel, string> = {
  fact: 'EVENTS',
  signal: 'EVENTS',
  delta: 'DELTAS',
  control: 'EVENTS',
  inbox: 'INBOX',
};

const LINE_WIDTH = 120;

const INTRODUCTION = [
  '# Events, commands and journal entries',
  'Use this page to look up a type: its stream, its fields and what they mean.',
  'Follow the facts of all requests with the NATS CLI ([tail.md](tail.md) has more commands):',
  "```sh\nnats sub 'runtime.request.>'\n```",
  'Every event has the fields `type`, `requestId`, `sessionId`, `agentId` and `workspaceId`. Each section lists the other fields of a type. A field `stage` is `interview`, `execute`, `evaluate` or `reflect`. Consumers ignore unknown fields.',
  'The JSON Schema of all messages is [events.schema.json](events.schema.json). [asyncapi.json](asyncapi.json) (AsyncAPI 3) lists every subject and its messages.',
  'This page is generated from `proto/` by `npm run generate`. The catalogue is closed: an unknown type does not compile, and is rejected at run time.',
];

/** docs/events.md: the reference of every event, command and journal entry. */
export function writeDocs(contract: Contract): string {
  const groups = [...new Set(contract.messages.map((message) => message.group))];
  return [
    ...INTRODUCTION.flatMap((text) => (text.startsWith('```') ? [text, ''] : paragraph(text))),
    ...groups.flatMap((group) => writeGroup(contract.messages.filter((message) => message.group === group))),
  ].join('\n');
}

function writeGroup(messages: readonly Message[]): string[] {
  const first = messages[0] as Message;
  const title = first.group.replaceAll('_', ' ');
  return [
    ...paragraph(`## ${title.charAt(0).toUpperCase()}${title.slice(1)}`),
    ...first.groupDoc.split('\n\n').flatMap(paragraph),
    ...messages.flatMap(writeMessage),
  ];
}

function writeMessage(message: Message): string[] {
  const { doc, entry, event } = message;
  const fields = message.fields.filter((field) => !(event && COMMON_FIELDS.has(field.name)));
  const stream = event ? STREAMS[event.channel] : entry && 'JOURNAL';
  const details = fields.flatMap(fieldDetails);
  return [
    ...paragraph(`### \`${event?.type ?? entry ?? message.name}\``),
    ...paragraph(doc.replace(/^`[\w.]+`: /, '')),
    ...paragraph([...(stream ? [`Stream ${stream}.`] : []), ...fieldLists(fields)].join(' ')),
    ...(details.length > 0 ? [...details, ''] : []),
  ];
}

function fieldLists(fields: readonly Field[]): string[] {
  const list = (label: string, required: boolean): string[] => {
    const names = fields.filter((field) => field.required === required).map(({ name }) => `\`${name}\``);
    return names.length > 0 ? [`${label}: ${names.join(', ')}.`] : [];
  };
  return fields.length > 0 ? [...list('Required', true), ...list('Optional', false)] : ['No other fields.'];
}

/** A list item for a field that has a description or a closed list of values. */
function fieldDetails({ doc, name, rule }: Field): string[] {
  if (!doc && (rule.in.length === 0 || name === 'stage')) return [];
  const values = rule.in.length > 0 ? [`Allowed: ${rule.in.map((value) => `\`${value}\``).join(', ')}.`] : [];
  return wrap(`- \`${name}\`: ${[...(doc ? [doc] : []), ...values].join(' ')}`, '  ');
}

const paragraph = (text: string): string[] => [...wrap(text), ''];

function wrap(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = indent + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
