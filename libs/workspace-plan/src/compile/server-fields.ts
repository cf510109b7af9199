import { formatPath } from '../diagnostics/path.ts';
import type { Report } from '../diagnostics/report.ts';
import type { McpServerType, PlanPairs } from '../plan.ts';
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from '../schema/patterns.ts';
import { parseFlag } from './flags.ts';
import { hasMalformedPlaceholder } from './placeholders.ts';
import { isAbsent, isMapping, kindOf, type Mapping, own, type Path, text } from './values.ts';

/** The fields of one server's declaration. */
export class ServerFields {
  broken = false;
  readonly #report: Report;
  /** The name as it stands in the file. */
  readonly #key: string;
  readonly #id: string;

  constructor(report: Report, key: string, id: string) {
    this.#report = report;
    this.#key = key;
    this.#id = id;
  }

  type(value: unknown): McpServerType | undefined {
    const type = text(value);
    if (type === 'local' || type === 'remote') return type;
    this.invalid(['type'], "server type must be 'local' or 'remote'", adviceForType(type));
    return undefined;
  }

  /**
   * Absent means on. Values that are no true or false were read by whether they are empty; that reading is kept, with a
   * warning, where it is what the word means, and refused where it is the contrary or where nobody can know.
   */
  enabled(definition: Mapping): boolean {
    const value = own(definition, 'enabled');
    if (value === undefined) return true;
    if (typeof value === 'boolean') return value;
    const reading = Boolean(value);
    const meant = isAbsent(value) || value === '' ? false : parseFlag(value);
    if (meant !== reading) {
      this.#stricter(['enabled'], `'enabled' must be true or false, not ${kindOf(value)}`, {
        advice: meant === undefined ? 'write true or false, without quotes' : `write \`enabled: ${meant}\``,
      });
      return reading;
    }
    this.#warn('workspace_value_coerced', ['enabled'], `'enabled' is ${kindOf(value)} and was read as ${reading}`, {
      advice: `write \`enabled: ${reading}\``,
    });
    return reading;
  }

  timeout(value: unknown): number {
    if (isAbsent(value)) return DEFAULT_TIMEOUT_MS;
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      this.invalid(
        ['timeout_ms'],
        'timeout_ms must be an integer when provided',
        'milliseconds, without quotes or unit',
      );
    } else if (value <= 0) {
      this.invalid(['timeout_ms'], 'timeout_ms must be greater than 0 when provided', 'milliseconds');
    } else if (value > MAX_TIMEOUT_MS) {
      this.#stricter(
        ['timeout_ms'],
        `timeout_ms must be at most ${MAX_TIMEOUT_MS}: a longer timer would fire at once`,
        {
          advice: `write milliseconds, from 1 to ${MAX_TIMEOUT_MS} (24 days)`,
        },
      );
    } else return value;
    return DEFAULT_TIMEOUT_MS;
  }

  pairs(value: unknown, field: 'headers' | 'environment'): PlanPairs {
    if (isAbsent(value)) return [];
    if (!isMapping(value)) {
      this.invalid([field], 'expected mapping object', `it is ${kindOf(value)}: write \`NAME: value\` lines`);
      return [];
    }
    const pairs: [string, string][] = [];
    const seen = new Set<string>();
    for (const [key, entry] of Object.entries(value)) {
      const name = key.trim();
      const at = [field, key];
      if (name === '') {
        this.#warn('workspace_value_ignored', at, 'a value without a name has no effect', { key: true });
        continue;
      }
      if (seen.has(name)) this.#warn('workspace_key_collision', at, `'${name}' stands here twice`, { key: true });
      if (name === '__proto__')
        this.#warn('workspace_field_invalid', at, `'${name}' is a name that programs trip over`);
      seen.add(name);
      if (typeof entry !== 'string') this.invalid(at, 'mapping values must be strings', adviceForValue(entry));
      else {
        this.#checkPlaceholders(at, entry);
        pairs.push([name, entry]);
      }
    }
    return pairs;
  }

  /** The command of the workspace server is of no use, but what is given has to be well-formed. */
  command(value: unknown, isWorkspace: boolean): readonly string[] {
    if (isWorkspace && (isAbsent(value) || (Array.isArray(value) && value.length === 0))) return [];
    if (!Array.isArray(value)) {
      const advice = typeof value === 'string' ? 'write the program and its arguments as a list' : undefined;
      this.invalid(
        ['command'],
        'expected non-empty list command',
        advice ?? 'for example `command: [npx, -y, server]`',
      );
      return [];
    }
    if (value.length === 0) this.invalid(['command'], 'command list must not be empty', 'name the program');
    const tokens: string[] = [];
    for (const [i, entry] of (value as unknown[]).entries()) {
      const token = text(entry);
      if (token !== undefined) tokens.push(token);
      else if (entry === '' && i > 0)
        tokens.push(''); // an argument may be empty, a program may not
      else this.invalid(['command', i], 'command tokens must be non-empty strings', 'quote numbers, true and false');
    }
    return isWorkspace ? [] : tokens;
  }

  url(value: unknown): string | null {
    const url = text(value);
    if (url === undefined) {
      this.invalid(['url'], "remote server requires non-empty string field 'url'", 'for example https://host/mcp');
      return null;
    }
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      const placeholder = url.includes('{env:');
      this.#stricter(['url'], 'url must be an http or https address', {
        advice: placeholder ? 'placeholders are resolved in headers and environment, not in url' : undefined,
      });
    }
    return url;
  }

  /** Fields that the other kind of server has. */
  warnUnused(type: McpServerType | undefined, definition: Mapping): void {
    const unused = type === 'local' ? ['url', 'headers'] : type === 'remote' ? ['command', 'environment'] : [];
    for (const field of unused) {
      if (isAbsent(own(definition, field))) continue;
      this.#warn('workspace_value_ignored', [field], `a ${type} server makes no use of '${field}'`, { key: true });
    }
  }

  invalid(field: Path, message: string, advice: string): void {
    this.broken = true;
    this.#report.error({ code: 'workspace_mcp_server_invalid', ...this.#at(field), message, advice });
  }

  #checkPlaceholders(field: Path, value: string): void {
    if (!hasMalformedPlaceholder(value)) return;
    this.#warn('mcp_placeholder_invalid', field, 'a placeholder in this value names no environment variable', {
      advice: 'write {env:NAME}, letters, digits and _, or the value itself without {env:}',
    });
  }

  #stricter(field: Path, message: string, more: { advice?: string | undefined } = {}): void {
    this.broken = true;
    this.#report.stricter({ code: 'workspace_mcp_server_invalid', ...this.#at(field), message, ...more });
  }

  #warn(
    code:
      | 'workspace_value_coerced'
      | 'workspace_value_ignored'
      | 'workspace_key_collision'
      | 'mcp_placeholder_invalid'
      | 'workspace_field_invalid',
    field: Path,
    message: string,
    more: { advice?: string; key?: boolean } = {},
  ): void {
    this.#report.warn({ code, ...this.#at(field), message, ...more });
  }

  /** Paths tell the trimmed name of the server. */
  #at(field: Path): { at: Path; shown?: string } {
    const at = ['mcp_registry', 'servers', this.#key, ...field];
    if (this.#key === this.#id) return { at };
    return { at, shown: formatPath(['mcp_registry', 'servers', this.#id, ...field]) };
  }
}

const LOCAL_ELSEWHERE = new Set(['stdio', 'command', 'process']);
const REMOTE_ELSEWHERE = new Set(['http', 'https', 'sse', 'http-sse', 'streamable-http', 'streamable_http', 'url']);

function adviceForType(type: string | undefined): string {
  const name = type?.toLowerCase() ?? '';
  if (LOCAL_ELSEWHERE.has(name)) return "here this is called 'local'";
  if (REMOTE_ELSEWHERE.has(name)) return "here this is called 'remote'";
  return "'local' starts a `command` and speaks over its stdin and stdout, 'remote' calls a `url`";
}

function adviceForValue(value: unknown): string {
  if (isMapping(value) && Object.keys(value)[0]?.startsWith('env:')) return 'quote the placeholder: "{env:NAME}"';
  return `it is ${kindOf(value)}: put it in quotes`;
}
