import {
  defined,
  type MemoryDecision,
  type MemoryEntry,
  type MemoryForgotten,
  type MemoryNamespaces,
  type MemoryPage,
  type MemoryRecall,
  type MemoryVerification,
} from '@reins/contracts';
import { wholeNumber, wrongUsage } from '../arguments.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { printable } from '../output/printable.ts';
import { shortened, table } from '../output/table.ts';

/** Options of `memory add`. */
export interface AddFlags {
  readonly kind: string;
  readonly subject?: string;
  readonly confidence?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly supersedes?: string;
  readonly sensitivity?: string;
}

/** Options of `memory list` and `memory search`. */
export interface ListFlags {
  readonly namespace?: string;
  readonly query?: string;
  readonly kind?: string;
  readonly status: string;
  readonly limit: string;
  readonly cursor?: string;
}

/** Options of `memory recall`. */
export interface RecallFlags {
  readonly namespace: readonly string[];
  readonly limit: string;
  readonly explain?: boolean;
}

const RECORDS = '/memory/records';
const recordPath = (id: string, action = ''): string => `${RECORDS}/${encodeURIComponent(id)}${action}`;
const clientOf = (context: CliContext): GatewayClient => new GatewayClient(gatewayAddress(context));

export async function add(
  context: CliContext,
  namespace: string,
  text: string,
  { kind, confidence, subject, validFrom, validUntil, supersedes, sensitivity }: AddFlags,
): Promise<ExitCode> {
  const given = defined({ subject, validFrom, validUntil, supersedes, sensitivity });
  const certain = confidence === undefined ? {} : { confidence: share(confidence) };
  const body = { namespace, text, kind, ...given, ...certain };
  return printDecision(context, await clientOf(context).post<MemoryDecision>(RECORDS, body));
}

export async function list(context: CliContext, { limit, ...filter }: ListFlags): Promise<ExitCode> {
  const query = new URLSearchParams({ limit: String(wholeNumber(limit, '--limit')) });
  for (const name of ['namespace', 'query', 'kind', 'status', 'cursor'] as const) {
    const value = filter[name];
    if (value !== undefined) query.set(name, value);
  }
  const page = await clientOf(context).get<MemoryPage>(`${RECORDS}?${query}`);
  if (context.json) printJson(context, page);
  else {
    context.out(`${recordTable(page.records)}\n`);
    if (page.next !== undefined) context.note(`there are more records: use --cursor ${page.next}`);
  }
  return EXIT.ok;
}

export async function recall(context: CliContext, query: string, flags: RecallFlags): Promise<ExitCode> {
  const body = { namespaces: flags.namespace, query, limit: wholeNumber(flags.limit, '--limit') };
  const found = await clientOf(context).post<MemoryRecall>('/memory/recall', body);
  if (context.json) printJson(context, found);
  else context.out(`${recallTable(found, flags.explain === true)}\n`);
  return EXIT.ok;
}

const SIGNALS = ['text', 'entities', 'recency', 'importance', 'usage', 'diversity'] as const;

/** The recalled records with their scores; with the signals if they are to be explained. */
function recallTable({ recalled }: MemoryRecall, explain: boolean): string {
  const signals = explain ? SIGNALS : [];
  const header = [
    'id',
    'score',
    ...signals.map((name) => (name === 'text' ? 'words' : name)),
    'namespace',
    'kind',
    'text',
  ];
  const rows = recalled.map(({ record, score, signals: values }) => [
    record.id,
    score.toFixed(3),
    ...signals.map((name) => values[name].toFixed(3)),
    record.namespace,
    record.kind,
    lineOf(record.text),
  ]);
  return table(header, rows);
}

export async function show(context: CliContext, id: string): Promise<ExitCode> {
  const record = await clientOf(context).get<MemoryEntry>(recordPath(id));
  if (context.json) printJson(context, record);
  else context.out(`${recordLines(record).join('\n')}\n`);
  return EXIT.ok;
}

export async function history(context: CliContext, id: string): Promise<ExitCode> {
  const versions = await clientOf(context).get<MemoryPage>(recordPath(id, '/history'));
  if (context.json) printJson(context, versions);
  else context.out(`${recordTable(versions.records)}\n`);
  return EXIT.ok;
}

/** What a request recalled, and the recalls that failed. */
interface RequestMemory {
  readonly recalled: readonly { readonly namespace: string; readonly context: string }[];
  readonly failed: readonly { readonly namespace?: string; readonly error: { readonly message: string } }[];
}

export async function used(context: CliContext, request: string): Promise<ExitCode> {
  const memory = await clientOf(context).get<RequestMemory>(`/requests/${encodeURIComponent(request)}/memory`);
  if (context.json) {
    printJson(context, memory);
    return EXIT.ok;
  }
  const recalled = memory.recalled.flatMap(({ namespace, context: text }) => [
    namespace,
    ...(text || '(nothing)').split('\n').map((line) => `  ${line}`),
  ]);
  const failed = memory.failed.map(({ namespace = 'memory', error }) => `${namespace}: failed: ${error.message}`);
  const lines = [...recalled, ...failed];
  context.out(lines.length === 0 ? 'the request recalled nothing\n' : `${lines.map(printable).join('\n')}\n`);
  return EXIT.ok;
}

export async function edit(context: CliContext, id: string, text: string): Promise<ExitCode> {
  return printDecision(context, await clientOf(context).post<MemoryDecision>(recordPath(id, '/edit'), { text }));
}

export async function forget(context: CliContext, id: string, reason: string | undefined): Promise<ExitCode> {
  const forgotten = await clientOf(context).post<MemoryForgotten>(recordPath(id, '/forget'), defined({ reason }));
  const { recordIds } = forgotten;
  if (context.json) printJson(context, forgotten);
  else context.out(recordIds.length === 0 ? `${id} was already forgotten\n` : `forgotten: ${recordIds.join(', ')}\n`);
  return EXIT.ok;
}

export async function rate(context: CliContext, id: string, useful: boolean): Promise<ExitCode> {
  const record = await clientOf(context).post<MemoryEntry>(recordPath(id, '/rate'), { useful });
  if (context.json) printJson(context, record);
  else context.out(`rated ${id} as ${useful ? 'useful' : 'useless'}\n`);
  return EXIT.ok;
}

export async function namespaces(context: CliContext): Promise<ExitCode> {
  const found = await clientOf(context).get<MemoryNamespaces>('/memory/namespaces');
  if (context.json) printJson(context, found);
  else {
    const rows = found.namespaces.map(({ namespace, active, superseded, forgotten }) =>
      [namespace, active, superseded, forgotten].map(String),
    );
    context.out(`${table(['namespace', 'active', 'superseded', 'forgotten'], rows)}\n`);
  }
  return EXIT.ok;
}

export async function verify(context: CliContext): Promise<ExitCode> {
  const result = await clientOf(context).post<MemoryVerification>('/memory/verify', {});
  const { records, seq, differences } = result;
  if (context.json) printJson(context, result);
  else if (differences.length === 0) context.out(`${records} records match the stream, up to sequence ${seq}\n`);
  else {
    const found = `these records differ from the stream: ${differences.join(', ')}`;
    context.out(context.typed(`${found}\nrebuild the tables: reins memory rebuild\n`));
  }
  return differences.length === 0 ? EXIT.ok : EXIT.failed;
}

export async function rebuild(context: CliContext): Promise<ExitCode> {
  const result = await clientOf(context).post<MemoryVerification>('/memory/rebuild', {});
  if (context.json) printJson(context, result);
  else context.out(`${result.records} records rebuilt; ${result.differences.length} of them differed\n`);
  return EXIT.ok;
}

function printDecision(context: CliContext, { decision, record }: MemoryDecision): ExitCode {
  if (context.json) printJson(context, { decision, record });
  else context.out([`${decision} ${record.id}`, ...recordLines(record).slice(1), ''].join('\n'));
  return EXIT.ok;
}

const MAX_TEXT = 80;

const lineOf = (text = ''): string => shortened(printable(text.replaceAll(/\s+/g, ' ')), MAX_TEXT);

const recordTable = (records: readonly MemoryEntry[]): string =>
  table(
    ['id', 'namespace', 'kind', 'status', 'createdAt', 'text'],
    records.map(({ id, namespace, kind, status, createdAt, text }) => [
      id,
      namespace,
      kind,
      status,
      createdAt,
      lineOf(text),
    ]),
  );

/** The fields that a record has, one in each line. */
const recordLines = ({ text, data, source, ratings, ...fields }: MemoryEntry): string[] => {
  const origin = source && Object.entries(source).map(([name, value]) => `${name} ${value}`);
  const rated = ratings && `${ratings.useful} useful, ${ratings.useless} useless`;
  const shown = {
    ...fields,
    ratings: rated,
    source: origin?.join(', '),
    data: data === undefined ? undefined : JSON.stringify(data),
  };
  const lines = Object.entries(shown).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(12)} ${printable(String(value))}`],
  );
  return text === undefined ? lines : [...lines, `${'text'.padEnd(12)} ${printable(text)}`];
};

function share(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= 1) return number;
  throw wrongUsage(`--confidence must be a number from 0 to 1 (got ${JSON.stringify(text)})`);
}
