import type { Contract, Field, Message } from './model.ts';

/** Example bodies of one type in this version of the contract. */
export interface RecordedBodies {
  /** With all fields. */
  readonly full: Body;
  /** With the required fields only. */
  readonly least: Body;
}

type Body = Readonly<Record<string, unknown>>;

/** Maximum depth of nested messages, which ends recursive types. */
const MAX_DEPTH = 4;

const FORMATS: Readonly<Record<string, string>> = {
  token: 'abc-1',
  sha256: 'a1'.repeat(32),
  timestamp: '2026-01-02T03:04:05.678Z',
};

/** Creates example bodies of every event and journal entry, by type. Later versions must be able to read them. */
export function writeBodies(contract: Contract): ReadonlyMap<string, RecordedBodies> {
  const messages = new Map(contract.messages.map((message) => [message.name, message]));
  const body = (message: Message, all: boolean, depth: number): Body =>
    Object.fromEntries(
      message.fields
        .filter((field) => field.required || (all && depth < MAX_DEPTH))
        .map((field) => [field.name, many(field, all, depth)]),
    );
  const many = (field: Field, all: boolean, depth: number): unknown => {
    const value = one(field, all, depth);
    if (field.kind === 'list') return [value];
    return field.kind === 'map' ? { abc: value } : value;
  };
  const one = ({ type, rule }: Field, all: boolean, depth: number): unknown => {
    if (rule.constant !== undefined) return rule.constant;
    if (rule.in.length > 0) return rule.in[0];
    if (type.is === 'message') return body(messages.get(type.name) as Message, all, depth + 1);
    if (type.is === 'string') return FORMATS[rule.format ?? ''] ?? 'a text';
    if (type.is === 'boolean') return true;
    if (type.is === 'json') return { any: ['json', 1, null] };
    if (type.is === 'object') return { any: 'field' };
    return rule.min ?? rule.max ?? 1;
  };
  return new Map(
    contract.messages.flatMap((message) => {
      const type = message.event?.type ?? message.entry;
      return type ? [[type, { full: body(message, true, 0), least: body(message, false, 0) }]] : [];
    }),
  );
}
