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
const MARKS: Readonly<Record<TodoStatus, string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  cancelled: '[-]',
};

/** The list of steps of one conversation. */
export class TodoList {
  #todos: readonly Todo[];

  constructor(todos: readonly Todo[] = []) {
    this.#todos = todos;
  }

  /** Reads a stored list. Invalid entries are dropped: executors can change the file. */
  static parse(value: JsonValue | undefined): TodoList {
    return new TodoList(Array.isArray(value) ? value.flatMap(todoOf).slice(0, MAX_TODOS) : []);
  }

  get todos(): readonly Todo[] {
    return this.#todos;
  }

  /** `todoread` and `todowrite`. */
  get tools(): readonly OwnTool[] {
    return [
      { declaration: READ, call: async () => textResult(this.#text) },
      {
        declaration: WRITE,
        call: async ({ todos }) => {
          this.#todos = Array.isArray(todos) ? todos.flatMap(todoOf) : [];
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

const WRITE: OwnTool['declaration'] = {
  name: 'todowrite',
  description:
    'Replaces your list of steps. Use it for work of several steps, and keep the status of each step current: people follow your progress by it.',
  inputSchema: {
    type: 'object',
    properties: { todos: { type: 'array', maxItems: MAX_TODOS, items: ITEM, description: 'The whole list.' } },
    required: ['todos'],
  },
};
