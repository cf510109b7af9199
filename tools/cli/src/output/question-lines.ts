import { isObject, type JsonValue } from '@reins/contracts';
import type { ApprovalDetail } from '../client/api-types.ts';
import { shortened } from './table.ts';

const MAX_LINES = 20;
const MAX_WIDTH = 160;
const MAX_SUBJECT = 60;
/** The fields that may hold the text of a question. */
const TEXTS = ['question', 'text', 'title'] as const;

/** The text of a question, which may be any JSON. */
export function questionText(question: JsonValue): string {
  const text = isObject(question) ? TEXTS.map((name) => question[name]).find((value) => value !== undefined) : question;
  return typeof text === 'string' ? text : JSON.stringify(question);
}

/** What an approval is about: the label of the breakpoint, or the tool, or else the question. */
export function subjectText(subject: ApprovalDetail['subject']): string | undefined {
  const { kind, label, toolId, detail } = subject ?? {};
  const name = label === kind ? undefined : label;
  const payload = detail?.payload;
  const question =
    payload === undefined || payload === null ? undefined : shortened(questionText(payload), MAX_SUBJECT);
  return name ?? toolId ?? question ?? kind;
}

/**
 * The data of a question without its text, as indented JSON: what the person who answers must see.
 * @param all the command that shows everything, if there are more lines
 */
export function questionLines(question: JsonValue | undefined, all: string): string[] {
  const lines = allQuestionLines(question);
  if (lines.length <= MAX_LINES && lines.every((line) => line.length <= MAX_WIDTH)) return lines;
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line));
  return [...shown, `… show all data: ${all}`];
}

/** The same without a limit. */
export function allQuestionLines(question: JsonValue | undefined): string[] {
  const data = isObject(question) ? withoutText(question) : Array.isArray(question) ? question : undefined;
  if (data === undefined || Object.keys(data).length === 0) return [];
  // Without the outer braces.
  return JSON.stringify(data, null, 2)
    .split('\n')
    .slice(1, -1)
    .map((line) => line.slice(2));
}

function withoutText(question: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = TEXTS.find((name) => question[name] !== undefined);
  return text === undefined || typeof question[text] !== 'string'
    ? {}
    : Object.fromEntries(Object.entries(question).filter(([name]) => name !== text));
}
