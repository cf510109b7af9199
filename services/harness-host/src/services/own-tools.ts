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
  readonly opened: readonly string[];
  readonly answered: readonly AnsweredElicitation[];
}

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
  #asked: Pick<AnsweredElicitation, 'serverId' | 'message'> | undefined;

  private constructor({ todos, opened, answered }: StoredState, toolsOf: (own: OwnTools) => readonly OwnTool[]) {
    this.#todos = todos;
    this.answered = [...answered];
    this.opened.push(...opened);
    this.tools = toolsOf(this);
  }

  /** Loads the tool gateway only when a stage needs it. */
  static async create({ request, readFile, state, resumedWith }: OwnToolsOptions): Promise<OwnTools> {
    const { questionTool, skillTool, TodoList } = await import('@reins/tool-gateway');
    const stored = isObject(state) ? state : {};
    const todos = TodoList.parse(stored.todos);
    const ids = ownToolIds(request);
    const opened = resumedWith !== undefined && Array.isArray(stored.opened) ? stored.opened.map(String) : [];
    const answered = answeredOf(stored, resumedWith);
    return new OwnTools({ todos, opened, answered }, (own) => {
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

  /** What the next execution of this conversation needs. */
  get state(): JsonObject {
    const asked = this.#asked && { asked: { ...this.#asked } };
    const answered = this.answered.map((each) => ({ ...each }));
    return {
      ...{ todos: this.#todos.todos.map((todo) => ({ ...todo })), opened: [...this.opened] },
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
