import { execFileSync } from 'node:child_process';
import {
  createFileRegistry,
  type DescField,
  type DescFile,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  getExtension,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type SourceCodeInfo_Location } from '@bufbuild/protobuf/wkt';
import type { Channel, Contract, EventRule, Field, FieldType, Message, Rule } from './model.ts';

const CHANNELS: readonly (Channel | undefined)[] = [undefined, 'fact', 'signal', 'delta', 'control', 'inbox'];

const ENVELOPE = 'runtime.adapter.event';

/** Field numbers of descriptor.proto, used in the paths of source locations. */
const MESSAGES = 4;
const FIELDS = 2;

/** Reads `proto/` with buf, which also checks it, into the generator's model. */
export function readContract(protoDir: string, buf: string): Contract {
  const image = execFileSync(buf, ['build', '--as-file-descriptor-set', '-o', '-'], {
    cwd: protoDir,
    maxBuffer: 64 << 20,
  });
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
  const files = [...registry.files].filter((file) => file.proto.package === 'reins.v1');
  files.sort((a, b) => a.name.localeCompare(b.name));
  return {
    messages: files.flatMap((file) =>
      file.messages.map((message, index) => readMessage(registry, file, message, index)),
    ),
  };
}

function readMessage(registry: FileRegistry, file: DescFile, message: DescMessage, index: number): Message {
  const event = readEvent(registry, message);
  const entry = option<{ type: string }>(registry, message.proto.options, 'reins.options.v1.entry')?.type;
  return {
    name: message.name,
    doc: comment(file, [MESSAGES, index]),
    group: file.name.split('/').at(-1) as string,
    groupDoc: detached(file),
    fields: message.fields.map((field, position) =>
      readField(registry, file, field, comment(file, [MESSAGES, index, FIELDS, position]), event),
    ),
    ...(event && { event }),
    ...(entry && { entry }),
  };
}

function readEvent(registry: FileRegistry, message: DescMessage): EventRule | undefined {
  type Raw = { type: string; meaning: string; established: boolean; channel: number };
  const raw = option<Raw>(registry, message.proto.options, 'reins.options.v1.event');
  if (!raw?.type) return undefined;
  const channel = CHANNELS[raw.channel];
  if (!channel) throw new Error(`${message.name}: the event has no channel`);
  return { type: raw.type, meaning: raw.meaning, established: raw.established, channel };
}

interface RawRule {
  required: boolean;
  in: string[];
  format: string;
  min?: number;
  max?: number;
  notBlank: boolean;
  maxSize?: number;
  closed: string;
}

function readField(
  registry: FileRegistry,
  file: DescFile,
  field: DescField,
  doc: string,
  event: EventRule | undefined,
): Field {
  const raw = option<RawRule>(registry, field.proto.options, 'reins.options.v1.field');
  const kind = field.fieldKind === 'list' ? 'list' : field.fieldKind === 'map' ? 'map' : 'single';
  const required = kind === 'single' ? !field.proto.proto3Optional : (raw?.required ?? false);
  const rule: Rule = {
    in: raw?.closed ? closedSet(file, registry, raw.closed) : (raw?.in ?? []),
    notBlank: raw?.notBlank ?? false,
    ...(raw?.format && { format: raw.format }),
    ...(raw?.min !== undefined && { min: raw.min }),
    ...(raw?.max !== undefined && { max: raw.max }),
    ...(raw?.maxSize !== undefined && { maxSize: raw.maxSize }),
    ...(event && field.name === 'type' && { constant: typeInBody(event) }),
  };
  return { name: field.jsonName, doc, required, kind, type: typeOf(field), rule };
}

/** A signal's subject contains its phase, but its body has the type of the common envelope. */
function typeInBody({ channel, type }: EventRule): string {
  return channel === 'signal' || channel === 'delta' ? ENVELOPE : type;
}

function closedSet(file: DescFile, registry: FileRegistry, name: string): string[] {
  const found = registry.getEnum(`${file.proto.package}.${name}`);
  if (!found) throw new Error(`${file.name}: no enumeration ${name}`);
  return found.values.filter((value) => value.number !== 0).map((value) => value.localName.toLowerCase());
}

const WELL_KNOWN: Record<string, FieldType> = {
  'google.protobuf.Value': { is: 'json' },
  'google.protobuf.Struct': { is: 'object' },
};

/** Values of FieldDescriptorProto.Type in descriptor.proto. */
const SCALARS: Record<number, FieldType> = {
  1: { is: 'number' },
  2: { is: 'number' },
  3: { is: 'integer' },
  4: { is: 'integer' },
  5: { is: 'integer' },
  8: { is: 'boolean' },
  9: { is: 'string' },
  13: { is: 'integer' },
};

function typeOf(field: DescField): FieldType {
  const message =
    field.fieldKind === 'message'
      ? field.message
      : field.fieldKind === 'list' && field.listKind === 'message'
        ? field.message
        : field.fieldKind === 'map' && field.mapKind === 'message'
          ? field.message
          : undefined;
  if (message) return WELL_KNOWN[message.typeName] ?? { is: 'message', name: message.name };
  const scalar = 'scalar' in field && field.scalar !== undefined ? SCALARS[field.scalar] : undefined;
  if (!scalar) throw new Error(`${field.parent.name}.${field.name}: unsupported field type`);
  return scalar;
}

function option<T>(registry: FileRegistry, options: unknown, name: string): T | undefined {
  const extension = registry.getExtension(name);
  if (!extension || !options) return undefined;
  return getExtension(options as Parameters<typeof getExtension>[0], extension) as T | undefined;
}

function comment(file: DescFile, path: readonly number[]): string {
  return tidy(locationOf(file, path)?.leadingComments);
}

/** The comment above the `package` statement, which describes the file. */
function detached(file: DescFile): string {
  return tidy(locationOf(file, [2])?.leadingComments);
}

function locationOf(file: DescFile, path: readonly number[]): SourceCodeInfo_Location | undefined {
  return file.proto.sourceCodeInfo?.location.find(
    (at) => at.path.length === path.length && at.path.every((step, i) => step === path[i]),
  );
}

const tidy = (text: string | undefined): string =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
