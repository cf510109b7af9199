/** Texts of objects that come again; null until the first of them is written. */
const texts = new WeakMap<object, string | null>();

/** Marks an object that is never changed and stands in many documents, so that its text is made, and its secrets are looked for, once. */
export function comesAgain<T extends object>(object: T): T {
  if (!texts.has(object)) texts.set(object, null);
  return object;
}

/** Whether an object was marked. */
export function isMarked(object: object): boolean {
  return texts.has(object);
}

const DEPTH = 3;

/** The text of a document, as `JSON.stringify` gives it. Marked objects in its first levels are written once for all documents. */
export function jsonText(document: object): string {
  return textOf(document, DEPTH) ?? 'null';
}

function textOf(value: unknown, depth: number): string | undefined {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known ?? firstText(value);
  return depth === 0 || Array.isArray(value) ? JSON.stringify(value) : membersText(value, depth - 1);
}

function firstText(object: object): string {
  const text = JSON.stringify(object);
  texts.set(object, text);
  return text;
}

function membersText(object: object, depth: number): string {
  let members = '';
  for (const [key, member] of Object.entries(object)) {
    const text = textOf(member, depth);
    if (text !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${text}`;
  }
  return `{${members}}`;
}
