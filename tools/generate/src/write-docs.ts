import type { Channel, Contract, Field, Message } from './model.ts';

const HEAD = new Set(['type', 'requestId', 'sessionId', 'agentId', 'workspaceId']);

const WHERE: Record<Channel, string> = {
  fact: 'EVENTS',
  signal: 'EVENTS',
  delta: 'DELTAS',
  control: 'EVENTS',
  inbox: 'INBOX',
};

/** docs/events.md: the reference of every event, command and journal entry. */
export function writeDocs(contract: Contract): string {
  const groups = [...new Set(contract.messages.map((message) => message.group))];
  return [
    '# Events, commands and journal entries',
    '',
    'Generated from `proto/` by `npm run generate`. The list is closed: an unknown type does not compile and is refused at run time.',
    'Every event carries `type`, `requestId`, `sessionId`, `agentId` and `workspaceId`; the tables give what each type adds, optional fields in *italics*.',
    'Consumers ignore fields that they do not know. The JSON Schema of all of it is `docs/events.schema.json`; `docs/asyncapi.json` (AsyncAPI 3) tells every subject and what travels on it.',
    '',
    ...groups.flatMap((group) => writeGroup(contract.messages.filter((message) => message.group === group))),
  ].join('\n');
}

function writeGroup(messages: readonly Message[]): string[] {
  const first = messages[0] as Message;
  const title = `## ${first.group.replaceAll('_', ' ')}`;
  const rows = messages.filter((message) => message.event ?? message.entry).map(writeRow);
  const records = messages.filter((message) => !message.event && !message.entry);
  return [
    title,
    '',
    first.groupDoc,
    '',
    ...(rows.length > 0 ? ['| type | stream | fields | meaning |', '|---|---|---|---|', ...rows, ''] : []),
    ...records.flatMap((message) => [
      `**\`${message.name}\`**: ${message.doc} Fields: ${fieldList(message.fields)}.`,
      '',
    ]),
  ];
}

function writeRow(message: Message): string {
  const where = message.event ? WHERE[message.event.channel] : 'JOURNAL';
  const meaning = message.event?.meaning ?? message.doc.replace(/^`[A-Z_]+`: /, '');
  const fields = message.fields.filter((field) => !(message.event && HEAD.has(field.name)));
  return `| \`${message.event?.type ?? message.entry}\` | ${where} | ${fieldList(fields)} | ${meaning.replaceAll('\n', ' ')} |`;
}

const fieldList = (fields: readonly Field[]): string => fields.map(fieldText).join(', ') || '–';

function fieldText(field: Field): string {
  const allowed = field.rule.in.length > 0 ? ` (${field.rule.in.map((value) => `\`${value}\``).join(' \\| ')})` : '';
  const text = `\`${field.name}\`${allowed}`;
  return field.required ? text : `*${text}*`;
}
