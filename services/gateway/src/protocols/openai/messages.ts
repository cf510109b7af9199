import { isObject, type JsonObject, type JsonValue, type Problem } from '@reins/contracts';
import type { GivenFile } from '../../attachments/attachment-store.ts';
import { isFileName } from '../../attachments/attachments.dto.ts';
import { isMediaType } from '../../attachments/media-type.ts';
import { invalid, unsupported } from './parameters.ts';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;
type Role = (typeof ROLES)[number];

/** A message of a conversation. */
export interface Message {
  readonly role: Role;
  readonly text: string;
  readonly files: readonly GivenFile[];
}

/** What a request gets from a conversation. */
export interface Prompt {
  readonly instruction: string;
  readonly files: readonly GivenFile[];
}

/** The most files of one call, as of one request. */
const MAX_FILES = 100;

/** Reads a list of messages. Adds what is wrong with them to the problems. */
export function readMessages(value: JsonValue | undefined, path: string, problems: Problem[]): readonly Message[] {
  if (!Array.isArray(value) || value.length === 0) {
    problems.push(invalid(path, `${path} must be a list with at least one message`));
    return [];
  }
  const messages = value.flatMap((each, index) => messageOf(each, `${path}[${index}]`, problems));
  const files = messages.reduce((count, message) => count + message.files.length, 0);
  if (files > MAX_FILES) problems.push(invalid(path, `${path} must have at most ${MAX_FILES} files`));
  const last = messages.at(-1);
  if (messages.length === value.length && last?.role !== 'user')
    problems.push(invalid(`${path}[${value.length - 1}].role`, 'the last message must have the role user'));
  return messages;
}

function messageOf(value: JsonValue, path: string, problems: Problem[]): Message[] {
  if (!isObject(value)) {
    problems.push(invalid(path, `${path} must be an object`));
    return [];
  }
  const role = ROLES.find((known) => known === value.role);
  if (role === undefined) {
    problems.push(invalid(`${path}.role`, `${path}.role must be one of ${ROLES.join(', ')}`));
    return [];
  }
  const { texts, files } = contentOf(value, path, problems);
  return [{ role, text: [...texts, ...calledTools(value)].join('\n'), files }];
}

interface Content {
  readonly texts: readonly string[];
  readonly files: readonly GivenFile[];
}

const NO_CONTENT: Content = { texts: [], files: [] };

function contentOf({ content, role }: JsonObject, path: string, problems: Problem[]): Content {
  if (typeof content === 'string') return { texts: [content], files: [] };
  if ((content === null || content === undefined) && role === 'assistant') return NO_CONTENT;
  if (!Array.isArray(content)) {
    problems.push(invalid(`${path}.content`, `${path}.content must be a string or a list of parts`));
    return NO_CONTENT;
  }
  const parts = content.map((part, index) => partOf(part, `${path}.content[${index}]`, problems));
  return { texts: parts.flatMap(({ texts }) => texts), files: parts.flatMap(({ files }) => files) };
}

function partOf(part: JsonValue, path: string, problems: Problem[]): Content {
  const type = isObject(part) ? part.type : undefined;
  const fields = isObject(part) ? part : {};
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return textPart(fields.text, `${path}.text`, problems);
    case 'refusal':
      return textPart(fields.refusal, `${path}.refusal`, problems);
    case 'image_url': {
      const url = isObject(fields.image_url) ? fields.image_url.url : undefined;
      return filePart({ data: url, kind: 'image' }, `${path}.image_url.url`, problems);
    }
    case 'input_image':
      return filePart({ data: fields.image_url, kind: 'image' }, `${path}.image_url`, problems);
    case 'file': {
      const { file_data: data, filename: name } = isObject(fields.file) ? fields.file : {};
      return filePart({ data, name, kind: 'file' }, `${path}.file.file_data`, problems);
    }
    case 'input_file':
      return filePart({ data: fields.file_data, name: fields.filename, kind: 'file' }, `${path}.file_data`, problems);
    case 'input_audio':
      problems.push(unsupported(path, 'audio is not supported', 'Send text, images or files.'));
      return NO_CONTENT;
    default:
      problems.push(invalid(`${path}.type`, `${path}.type must be the type of a text, an image or a file`));
      return NO_CONTENT;
  }
}

function textPart(text: JsonValue | undefined, path: string, problems: Problem[]): Content {
  if (typeof text === 'string') return { texts: [text], files: [] };
  problems.push(invalid(path, `${path} must be a string`));
  return NO_CONTENT;
}

interface FilePart {
  readonly data: JsonValue | undefined;
  readonly name?: JsonValue | undefined;
  readonly kind: 'image' | 'file';
}

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

function filePart({ data, name, kind }: FilePart, path: string, problems: Problem[]): Content {
  const comma = typeof data === 'string' ? data.indexOf(',') : -1;
  const [, mediaType] = DATA_URL.exec(typeof data === 'string' ? data.slice(0, Math.max(0, comma)) : '') ?? [];
  if (typeof data !== 'string' || mediaType === undefined) {
    const hint = `Send the ${kind} as a data URL: data:<media type>;base64,<bytes>.`;
    problems.push(unsupported(path, `${path} must be a data URL`, hint));
    return NO_CONTENT;
  }
  const base64 = data.slice(comma + 1);
  if (!BASE64.test(base64)) problems.push(invalid(path, `${path} is not valid base64`));
  if (mediaType !== '' && !isMediaType(mediaType)) problems.push(invalid(path, `${path} has an invalid media type`));
  if (name !== undefined && !isFileName(name))
    problems.push(
      invalid(path.replace(/\w+$/, 'filename'), 'the file name must have 1 to 200 characters, without a folder'),
    );
  const given = typeof name === 'string' ? name : defaultName(kind, mediaType);
  const bytes = Buffer.from(base64, 'base64');
  return { texts: [], files: [{ bytes, name: given, mediaType: mediaType || undefined, path }] };
}

const defaultName = (kind: FilePart['kind'], mediaType: string): string => {
  const extension = /^\w+\/([a-z0-9]{2,5})$/.exec(mediaType)?.[1] ?? 'bin';
  return `${kind}.${extension}`;
};

/** Tool calls of an earlier turn, in words: another system has executed them. */
function calledTools({ tool_calls: calls }: JsonObject): readonly string[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call) => {
    const called = isObject(call) && isObject(call.function) ? call.function : {};
    return typeof called.name === 'string' ? [`(called ${called.name} with ${String(called.arguments ?? '')})`] : [];
  });
}

/**
 * The instruction and the files of a conversation. A session has the earlier messages already, so only those after the
 * last answer are new. Without one, the instruction has the whole conversation.
 */
export function promptOf(messages: readonly Message[], continuesSession: boolean): Prompt {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const fresh = messages.slice(answered);
  const news = textsOf(fresh);
  if (continuesSession || answered === 0) return { instruction: news, files: filesOf(fresh) };
  const earlier = messages.slice(0, answered).map(({ role, text }) => `${NAMES[role]}: ${text}`);
  const instruction = ['The conversation so far:', ...earlier, 'The new message:', news].join('\n\n');
  return { instruction, files: filesOf(messages) };
}

const NAMES: Readonly<Record<Role, string>> = {
  system: 'System',
  developer: 'Developer',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Result of a tool',
  function: 'Result of a tool',
};

const textsOf = (messages: readonly Message[]): string =>
  messages
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');

const filesOf = (messages: readonly Message[]): readonly GivenFile[] => messages.flatMap(({ files }) => files);
