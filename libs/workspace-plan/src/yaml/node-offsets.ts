import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml-5/browser';

/** The offset of the first character of a node, including its anchor and tag; undefined for a node without text. */
export function startOf(event: Event, text: string): number | undefined {
  switch (event.type) {
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1; // the parser reports the name without `*` and `&`
    case EVENT_ID.SCALAR:
      return firstOf(event.anchorStart - 1, event.tagStart, scalarStart(event, text));
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return firstOf(event.anchorStart - 1, event.tagStart, event.start);
    default:
      return undefined;
  }
}

/** The offset after a scalar or an alias; undefined for other nodes. */
export function endOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.ALIAS) return event.anchorEnd;
  if (event.type !== EVENT_ID.SCALAR) return undefined;
  if (event.valueStart < 0) return Math.max(event.anchorEnd, event.tagEnd);
  return isQuoted(event) ? event.valueEnd + 1 : event.valueEnd;
}

/** Whether a node is an empty value, such as that of `key:`. */
export const isEmptyNode = (event: Event): boolean =>
  event.type === EVENT_ID.SCALAR && event.valueStart < 0 && event.tagStart < 0;

/** The anchor and the tag of a node may come in either order, and precede its value. Absent parts are negative. */
function firstOf(anchor: number, tag: number, value: number): number | undefined {
  if (anchor < 0 && tag < 0) return value < 0 ? undefined : value;
  if (anchor < 0 || tag < 0) return Math.max(anchor, tag);
  return Math.min(anchor, tag);
}

/** The parser reports the text of a scalar without its quotes, and without the header of a block. */
function scalarStart(event: ScalarEvent, text: string): number {
  const { valueStart, style } = event;
  if (valueStart < 0 || style === SCALAR_STYLE.PLAIN) return valueStart;
  return isQuoted(event) ? valueStart - 1 : headerStart(text, valueStart);
}

const isQuoted = ({ style }: ScalarEvent): boolean =>
  style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;

const HEADER = /[|>][-+\d]*[ \t]*(?:[ \t]#.*)?[\r\n]*$/;

/** The offset of `|` or `>`, which is on the line before the text of the block. */
function headerStart(text: string, valueStart: number): number {
  const lineStart = text.lastIndexOf('\n', valueStart - 2) + 1;
  return lineStart + Math.max(0, text.slice(lineStart, valueStart).search(HEADER));
}
