import { type AdapterEvent, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { type HostRequest, type PolicyWidening, SERVED_TOOL_IDS } from '@reins/runtime-config';
import type { AnsweredElicitation, OwnTool, TodoList } from '@reins/tool-gateway';
import { allowedTools } from '../stage/allowed-tools.ts';

/** The ids of the tools of Reins that a run may call. */
export const ownToolIds = (request: HostRequest): readonly string[] =>
  allowedTools(request).filter((id) => SERVED_TOOL_IDS.includes(id));

export interface OwnToolsOptions {
  readonly request: HostRequest;
  /** Reads a file of the tree from which the stage starts. */
  readonly readFile: (path: string) => Promise<string>;
  /** What `state` returned in the execution that this one continues. */
  readonly state: JsonValue | undefined;
  /** The answer with which the same run continues. Only then the tools that it opened stay open. */
  readonly resumedWith: JsonValue | undefined;
}

interface StoredState {
  readonly todos: TodoList;
  readonly exchanges: readonly Exchange[];
  readonly opened: readonly string[];
  readonly answered: readonly AnsweredElicitation[];
}

/** A question to the user, with the answer if there is one. */
interface Exchange {
  readonly question: string;
  readonly answer?: string;
}

const MAX_EXCHANGES = 20;
const MAX_TEXT = 1000;

/** The questions of the conversation. If the stage continues with an answer, it is that to the last question. */
function exchangesOf({ exchanges }: JsonObject, answer: JsonValue | undefined): readonly Exchange[] {
  const stored = (Array.isArray(exchanges) ? exchanges : []).filter(isObject).map(({ question, answer }) => ({
    question: String(question),
    ...(typeof answer === 'string' && { answer }),
  }));
  const last = stored.at(-1);
  if (answer === undefined || !last || last.answer !== undefined) return stored;
  return [...stored.slice(0, -1), { ...last, answer: textOf(answer) }];
}

const textOf = (value: JsonValue): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_TEXT);

/** The answers of the user to servers, of which the last one continues the stage. */
function answeredOf({ asked, answered }: JsonObject, answer: JsonValue | undefined): readonly AnsweredElicitation[] {
  if (answer === undefined || !isObject(asked)) return [];
  const earlier = (Array.isArray(answered) ? answered : []).flatMap((each) =>
    isObject(each) && each.answer !== undefined ? [answerTo(each, each.answer)] : [],
  );
  return [...earlier, answerTo(asked, answer)];
}

const answerTo = ({ serverId, message }: JsonObject, answer: JsonValue): AnsweredElicitation => ({
  serverId: String(serverId),
  message: String(message),
  answer,
});

/** The tools of Reins for one stage run, and their state. */
export class OwnTools {
  readonly tools: readonly OwnTool[];
  /** The gated tools that invoked skills opened. */
  readonly opened: string[] = [];
  /** Receives the signals of the tools. */
  onSignal: (signal: Omit<AdapterEvent, 'adapter'>) => void = () => undefined;
  /** Questions of servers that the user has answered, until the calls that asked them complete. */
  readonly answered: AnsweredElicitation[];
  readonly #todos: TodoList;
  #exchanges: readonly Exchange[];
  #asked: Pick<AnsweredElicitation, 'serverId' | 'message'> | undefined;

  private constructor(
    { todos, exchanges, opened, answered }: StoredState,
    toolsOf: (own: OwnTools) => readonly OwnTool[],
  ) {
    this.#todos = todos;
    this.#exchanges = exchanges;
    this.answered = [...answered];
    this.opened.push(...opened);
    this.tools = toolsOf(this);
  }

  /** Loads the tool gateway only when a stage needs it. */
  static async create({ request, readFile, state, resumedWith }: OwnToolsOptions): Promise<OwnTools> {
    const { questionTool, skillTool, TodoList } = await import('@reins/tool-gateway');
    const stored = isObject(state) ? state : {};
    const todos = TodoList.parse(stored.todos, stored.notes);
    const ids = ownToolIds(request);
    const opened = resumedWith !== undefined && Array.isArray(stored.opened) ? stored.opened.map(String) : [];
    const answered = answeredOf(stored, resumedWith);
    const exchanges = exchangesOf(stored, resumedWith);
    return new OwnTools({ todos, exchanges, opened, answered }, (own) => {
      const skills = skillTool({
        skills: request.skills,
        gatedTools: request.gated_tools,
        read: readFile,
        invoked: (id, widening) => own.#invoked(id, widening),
      });
      return [questionTool(), ...todos.tools, skills].filter(({ declaration }) => ids.includes(declaration.name));
    });
  }

  /** The steps of the list that are not completed. */
  get openSteps(): readonly string[] {
    const open = this.#todos.todos.filter(({ status }) => status === 'pending' || status === 'in_progress');
    return open.map(({ content }) => content);
  }

  /** What the agent decided, and what the user answered. */
  get decisions(): readonly string[] {
    const answered = this.#exchanges.flatMap(({ question, answer }) =>
      answer === undefined ? [] : [`The user was asked: ${question} The answer: ${answer}`],
    );
    return [...answered, ...this.#todos.notes.decisions];
  }

  /** What the user was asked without an answer, and what the agent could not settle. */
  get openQuestions(): readonly string[] {
    const unanswered = this.#exchanges.flatMap(({ question, answer }) => (answer === undefined ? [question] : []));
    return [...unanswered, ...this.#todos.notes.questions];
  }

  /** The stage is suspended with a question to the user. */
  suspendedWith(question: JsonValue): void {
    this.#exchanges = [...this.#exchanges, { question: textOf(question) }].slice(-MAX_EXCHANGES);
  }

  /** What the next execution of this conversation needs. */
  get state(): JsonObject {
    const asked = this.#asked && { asked: { ...this.#asked } };
    const answered = this.answered.map((each) => ({ ...each }));
    const { decisions, questions } = this.#todos.notes;
    const hasNotes = decisions.length > 0 || questions.length > 0;
    return {
      ...{ todos: this.#todos.todos.map((todo) => ({ ...todo })), opened: [...this.opened] },
      ...(hasNotes && { notes: { decisions: [...decisions], questions: [...questions] } }),
      ...(this.#exchanges.length > 0 && { exchanges: this.#exchanges.map((each) => ({ ...each })) }),
      ...(answered.length > 0 && { answered }),
      ...asked,
    };
  }

  /** A server asked the user. */
  asked(serverId: string, message: string): void {
    this.#asked = { serverId, message };
  }

  /** A call to a server completed, so the answers to its questions are used up. */
  completed(serverId: string): void {
    const others = this.answered.filter((each) => each.serverId !== serverId);
    this.answered.splice(0, this.answered.length, ...others);
  }

  /** A tool of the workspace has printed a text. */
  toolPrinted(toolId: string, text: string): void {
    this.onSignal({ phase: 'agent.tool.output', toolId, text });
  }

  #invoked(skillId: string, { granted_tools, granted_commands }: PolicyWidening): void {
    this.opened.push(...granted_tools);
    this.onSignal({
      phase: 'agent.skill.invoked',
      skillId,
      grantedTools: granted_tools,
      grantedCommands: granted_commands,
    });
  }
}
