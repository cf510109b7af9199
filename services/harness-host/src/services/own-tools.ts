import { type AdapterEvent, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { type HostRequest, type PolicyWidening, SERVED_TOOL_IDS } from '@reins/runtime-config';
import type { OwnTool, TodoList } from '@reins/tool-gateway';
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
  /** Whether the same run continues. Only then the tools that it opened stay open. */
  readonly isResumed: boolean;
}

/** The tools of Reins for one stage run, and their state. */
export class OwnTools {
  readonly tools: readonly OwnTool[];
  /** The gated tools that invoked skills opened. */
  readonly opened: string[] = [];
  /** Receives the signals of the tools. */
  onSignal: (signal: Omit<AdapterEvent, 'adapter'>) => void = () => undefined;
  readonly #todos: TodoList;

  private constructor(todos: TodoList, opened: readonly string[], toolsOf: (own: OwnTools) => readonly OwnTool[]) {
    this.#todos = todos;
    this.opened.push(...opened);
    this.tools = toolsOf(this);
  }

  /** Loads the tool gateway only when a stage needs it. */
  static async create({ request, readFile, state, isResumed }: OwnToolsOptions): Promise<OwnTools> {
    const { questionTool, skillTool, TodoList } = await import('@reins/tool-gateway');
    const stored = isObject(state) ? state : {};
    const todos = TodoList.parse(stored.todos);
    const ids = ownToolIds(request);
    const opened = isResumed && Array.isArray(stored.opened) ? stored.opened.map(String) : [];
    return new OwnTools(todos, opened, (own) => {
      const skills = skillTool({
        skills: request.skills,
        gatedTools: request.gated_tools,
        read: readFile,
        invoked: (id, widening) => own.#invoked(id, widening),
      });
      return [questionTool(), ...todos.tools, skills].filter(({ declaration }) => ids.includes(declaration.name));
    });
  }

  /** What the next execution of this conversation needs. */
  get state(): JsonObject {
    return { todos: this.#todos.todos.map((todo) => ({ ...todo })), opened: [...this.opened] };
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
