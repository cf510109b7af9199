import { canonicalJson, isObject, type JsonValue } from '@reins/contracts';

/** The text of a question, which may be any JSON. */
export function questionText(question: JsonValue): string {
  const text = isObject(question) ? (question.question ?? question.text ?? question.title) : question;
  if (typeof text === 'string') return text;
  return isObject(question) && Object.keys(question).length === 0 ? '' : canonicalJson(question);
}
