import { ReinsError } from '@reins/contracts';
import type { ModelRequest, NextId } from '../model.ts';
import { BUILTIN_SCRIPTS } from './builtin.ts';
import { type Decision, decide } from './decide.ts';
import { parseScript, type Script } from './script.ts';
import type { ScriptFile } from './script-file.ts';

const SCENARIO_NAME = /^[\w.-]{1,64}$/;
const MAX_SCENARIOS = 1000;

/** The scripts of one server by scenario name, and the failure counts for `failFirst`. */
export class Scripts {
  readonly #scripts = new Map<string, Script>(Object.entries(BUILTIN_SCRIPTS));
  readonly #files: Readonly<Record<string, ScriptFile>>;
  readonly #failures = new Map<string, number>();
  readonly #nextId: NextId;

  /** @param files scripts that replace those of their scenarios while the files exist */
  constructor(nextId: NextId, files: Readonly<Record<string, ScriptFile>> = {}) {
    this.#nextId = nextId;
    this.#files = files;
  }

  /** Adds or replaces a scenario. @throws ReinsError with all problems when the name or the script is invalid */
  register(name: string, script: unknown): void {
    const full = this.#scripts.size >= MAX_SCENARIOS && !this.#scripts.has(name);
    if (!SCENARIO_NAME.test(name) || full) {
      const message = full ? `more than ${MAX_SCENARIOS} scenarios` : 'a name has 1 to 64 letters, digits, _ . -';
      throw new ReinsError({ code: 'script_invalid', message, path: name });
    }
    this.#scripts.set(name, parseScript(name, script));
  }

  /** Decides the reaction to a request; undefined when the scenario does not exist. */
  decide(name: string, request: ModelRequest): Decision | undefined {
    const script = (Object.hasOwn(this.#files, name) && this.#files[name]?.current()) || this.#scripts.get(name);
    if (!script) return undefined;
    const countFailure = (): number => {
      const count = (this.#failures.get(name) ?? 0) + 1;
      this.#failures.set(name, count);
      return count;
    };
    return decide(script, request, { nextId: this.#nextId, countFailure });
  }

  resetFailures(): void {
    this.#failures.clear();
  }
}
