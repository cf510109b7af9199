import { isObject, type JsonValue } from '@reins/contracts';
import { type OwnTool, textResult } from './own-tool.ts';

const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
type TodoStatus = (typeof STATUSES)[number];

/** One step of the plan of an agent. */
export interface Todo {
  readonly content: string;
  readonly status: TodoStatus;
}

const MAX_TODOS = 100;
const MAX_CONTENT = 500;
const MAX_NOTES = 20;
const MARKS: Readonly<Record<TodoStatus, string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  cancelled: '[-]',
};

/** What an agent notes next to its steps, for stages with another conversation. */
export interface WorkNotes {
  readonly decisions: readonly string[];
  readonly questions: readonly string[];
}

/** The list of steps of one conversation, with what was decided and what is open. */
export class TodoList {
  #todos: readonly Todo[];
  #notes: WorkNotes;

  constructor(todos: readonly Todo[] = [], notes: WorkNotes = { decisions: [], questions: [] }) {
    this.#todos = todos;
    this.#notes = notes;
  }

  /** Reads a stored list and its notes. Invalid entries are dropped. */
  static parse(todos: JsonValue | undefined, notes?: JsonValue): TodoList {
    const { decisions, questions } = isObject(notes) ? notes : {};
    return new TodoList(Array.isArray(todos) ? todos.flatMap(todoOf).slice(0, MAX_TODOS) : [], {
      decisions: textsOf(decisions) ?? [],
      questions: textsOf(questions) ?? [],
    });
  }

  get todos(): readonly Todo[] {
    return this.#todos;
  }

  get notes(): WorkNotes {
    return this.#notes;
  }

  /** `todoread` and `todowrite`. */
  get tools(): readonly OwnTool[] {
    return [
      { declaration: READ, call: async () => textResult(this.#text) },
      {
        declaration: WRITE,
        call: async ({ todos, decisions, questions }) => {
          this.#todos = Array.isArray(todos) ? todos.flatMap(todoOf) : [];
          this.#notes = {
            decisions: textsOf(decisions) ?? this.#notes.decisions,
            questions: textsOf(questions) ?? this.#notes.questions,
          };
          return textResult(this.#text);
        },
      },
    ];
  }

  get #text(): string {
    return this.#todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n') || 'The list is empty.';
  }
}

function todoOf(value: JsonValue): Todo[] {
  if (!isObject(value) || typeof value.content !== 'string') return [];
  const status = STATUSES.find((known) => known === value.status);
  return status === undefined ? [] : [{ content: value.content.slice(0, MAX_CONTENT), status }];
}

const textsOf = (value: JsonValue | undefined): readonly string[] | undefined =>
  Array.isArray(value)
    ? value
        .filter((each) => typeof each === 'string')
        .map((each) => each.slice(0, MAX_CONTENT))
        .slice(0, MAX_NOTES)
    : undefined;

const READ: OwnTool['declaration'] = {
  name: 'todoread',
  description: 'Reads your list of steps.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
};

const ITEM = {
  type: 'object',
  properties: {
    content: { type: 'string', minLength: 1, maxLength: MAX_CONTENT, description: 'The step.' },
    status: { type: 'string', enum: [...STATUSES] },
  },
  required: ['content', 'status'],
};

const notes = (description: string) => ({
  type: 'array',
  maxItems: MAX_NOTES,
  items: { type: 'string', minLength: 1, maxLength: MAX_CONTENT },
  description,
});

const WRITE: OwnTool['declaration'] = {
  name: 'todowrite',
  description:
    'Replaces your list of steps. Use it for work of several steps, and keep the status of each step current: people follow your progress by it.',
  inputSchema: {
    type: 'object',
    properties: {
      todos: { type: 'array', maxItems: MAX_TODOS, items: ITEM, description: 'The whole list.' },
      decisions: notes('All decisions so far that later work depends on, each with its reason.'),
      questions: notes('All questions that are still open.'),
    },
    required: ['todos'],
  },
};
