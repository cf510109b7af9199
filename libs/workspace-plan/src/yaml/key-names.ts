import { load } from 'js-yaml';
import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml-5/browser';
import type { EventIndex } from './event-index.ts';
import { endOf } from './node-offsets.ts';

/** Plain text that may be a number, a date, null or a boolean. */
const NOT_TEXT = /^(?:[-+.\d].*|~|null|Null|NULL|true|True|TRUE|false|False|FALSE)$/s;

/**
 * The property that js-yaml 4 creates for a key: `10` for `010`. js-yaml 5 would read some keys differently. Undefined
 * for `<<`, which merges other mappings.
 */
export function keyName(index: EventIndex, key: number): string | undefined {
  const event = index.events[key] as Event;
  if (event.type === EVENT_ID.SCALAR) return scalarName(event, index.text);
  const target = event.type === EVENT_ID.ALIAS ? index.targets.get(key) : undefined;
  return target === undefined ? '[object Object]' : keyName(index, target);
}

function scalarName(event: ScalarEvent, text: string): string | undefined {
  if (event.tagStart >= 0) return parsedName(text.slice(event.tagStart, endOf(event)));
  const value = getScalarValue(text, event);
  if (event.style !== SCALAR_STYLE.PLAIN) return value;
  if (value === '<<') return undefined;
  return value === '' || NOT_TEXT.test(value) ? parsedName(value) : value;
}

function parsedName(text: string): string {
  try {
    return String(load(text) ?? null);
  } catch {
    return text; // a tag of the document, which is not declared here
  }
}
