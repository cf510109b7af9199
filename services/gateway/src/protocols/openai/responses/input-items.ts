import type { ResponseRecord, StoredMessage } from './response-records.ts';
import { messageId } from './response-view.ts';

const DEFAULT_LIMIT = 20;

interface Page {
  readonly limit?: number;
  readonly order?: 'asc' | 'desc';
  readonly after?: string;
}

/** A page of the input of a response, the newest message first by default. */
export function inputItems(record: ResponseRecord, { limit = DEFAULT_LIMIT, order = 'desc', after }: Page): object {
  const items = record.input.map((message, index) => itemOf(message, `${messageId(record)}_${index}`));
  if (order === 'desc') items.reverse();
  const from = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const data = items.slice(from, from + limit);
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < items.length,
  };
}

function itemOf({ role, text, fileNames }: StoredMessage, id: string) {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const files = fileNames.map((filename) => ({ type: 'input_file', filename }));
  return { id, type: 'message', status: 'completed', role, content: [{ type, text }, ...files] };
}
