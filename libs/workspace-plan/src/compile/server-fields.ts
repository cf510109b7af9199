import { formatPath } from '../diagnostics/path.ts';
import type { Report } from '../diagnostics/report.ts';
import type { McpServerType, PlanPairs } from '../plan.ts';
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from '../schema/patterns.ts';
import { parseFlag } from './flags.ts';
import { hasMalformedPlaceholder } from './placeholders.ts';
import { isAbsent, isMapping, kindOf, type Mapping, ownProperty, type Path, text } from './values.ts';

/** Reads the fields of one server declaration. */
export class ServerFields {
  broken = false;
  readonly #report: Report;
  /** The name as written in the file. `#id` is the same name without surrounding spaces. */
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
   * Absent means enabled. The legacy system reads a value that is not a boolean by its truthiness. Where that agrees
   * with the meaning of the word, the value is accepted with a warning. Otherwise it is an error.
   */
  enabled(definition: Mapping): boolean {
    const value = ownProperty(definition, 'enabled');
    if (value === undefined) return true;
    if (typeof value === 'boolean') return value;
    const reading = Boolean(value);
    const intended = isAbsent(value) || value === '' ? false : parseFlag(value);
    if (intended !== reading) {
      this.strictError(
        ['enabled'],
        `'enabled' must be true or false (got ${kindOf(value)})`,
        intended === undefined ? 'write true or false, without quotes' : `write \`enabled: ${intended}\``,
      );
      return reading;
    }
    this.#warn(
      'workspace_value_coerced',
      ['enabled'],
      `'enabled' is ${kindOf(value)} and was interpreted as ${reading}`,
      {
        specificHint: `write \`enabled: ${reading}\``,
      },
    );
    return reading;
  }

  timeout(value: unknown): number {
    if (isAbsent(value)) return DEFAULT_TIMEOUT_MS;
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      this.invalid(
        ['timeout_ms'],
        'timeout_ms must be an integer when provided',
        'write milliseconds, without quotes or unit',
      );
    } else if (value <= 0) {
      this.invalid(['timeout_ms'], 'timeout_ms must be greater than 0 when provided', 'write milliseconds');
    } else if (value > MAX_TIMEOUT_MS) {
      this.strictError(
        ['timeout_ms'],
        `timeout_ms must be at most ${MAX_TIMEOUT_MS}`,
        `write milliseconds, from 1 to ${MAX_TIMEOUT_MS} (24 days)`,
      );
    } else return value;
    return DEFAULT_TIMEOUT_MS;
  }

  pairs(value: unknown, field: 'headers' | 'environment'): PlanPairs {
    if (isAbsent(value)) return [];
    if (!isMapping(value)) {
      this.invalid([field], 'expected mapping object', `found ${kindOf(value)}; write \`NAME: value\` lines`);
      return [];
    }
    const pairs: [string, string][] = [];
    const seen = new Set<string>();
    for (const [key, entry] of Object.entries(value)) {
      const name = key.trim();
      const at = [field, key];
      if (name === '') {
        this.#warn('workspace_value_ignored', at, 'an entry with an empty name is ignored', { pointsAtKey: true });
        continue;
      }
      if (seen.has(name)) this.#warn('workspace_key_collision', at, `duplicate name '${name}'`, { pointsAtKey: true });
      if (name === '__proto__')
        this.#warn('workspace_field_invalid', at, `'${name}' is a reserved JavaScript property name`);
      seen.add(name);
      if (typeof entry !== 'string') this.invalid(at, 'mapping values must be strings', adviceForValue(entry));
      else {
        this.#checkPlaceholders(at, entry);
        pairs.push([name, entry]);
      }
    }
    return pairs;
  }

  /**
   * @param isOptional for the workspace server, which does not use its command, and for a server with a package. If the
   * command is present, it must be valid.
   */
  command(value: unknown, isOptional: boolean): readonly string[] {
    if (isOptional && (isAbsent(value) || (Array.isArray(value) && value.length === 0))) return [];
    if (!Array.isArray(value)) {
      const specificHint = typeof value === 'string' ? 'write the program and its arguments as a list' : undefined;
      this.invalid(
        ['command'],
        'expected non-empty list command',
        specificHint ?? 'for example `command: [node, servers/notes.mjs]`, or name its package with `npm` or `pypi`',
      );
      return [];
    }
    if (value.length === 0) this.invalid(['command'], 'command list must not be empty', 'add the program to start');
    const tokens: string[] = [];
    for (const [i, entry] of (value as unknown[]).entries()) {
      const token = text(entry);
      if (token !== undefined) tokens.push(token);
      else if (entry === '' && i > 0)
        tokens.push(''); // an argument may be empty, a program may not
      else this.invalid(['command', i], 'command tokens must be non-empty strings', 'quote numbers, true and false');
    }
    return tokens;
  }

  /** Whether all requests of the workspace share the server. */
  isShared(value: unknown): boolean {
    if (isAbsent(value) || value === 'run' || value === 'workspace') return value === 'workspace';
    this.strictError(['isolation'], "isolation must be 'run' or 'workspace'", 'leave it out for a process per request');
    return false;
  }

  url(value: unknown): string | null {
    const url = text(value);
    if (url === undefined) {
      this.invalid(['url'], "remote server requires non-empty string field 'url'", 'for example https://host/mcp');
      return null;
    }
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      const placeholder = url.includes('{env:');
      this.strictError(
        ['url'],
        'url must be an http or https address',
        placeholder ? 'write the address itself; placeholders are resolved only in headers and environment' : undefined,
      );
    }
    return url;
  }

  /** Warns about fields that only the other type of server uses. */
  warnUnused(type: McpServerType | undefined, definition: Mapping): void {
    for (const field of type === undefined ? [] : UNUSED[type]) {
      if (!isAbsent(ownProperty(definition, field))) this.warnIgnored(field, `a ${type} server ignores '${field}'`);
    }
  }

  warnIgnored(field: string, message: string): void {
    this.#warn('workspace_value_ignored', [field], message, { pointsAtKey: true });
  }

  invalid(field: Path, message: string, specificHint: string): void {
    this.broken = true;
    this.#report.error({ code: 'workspace_mcp_server_invalid', ...this.#at(field), message, specificHint });
  }

  #checkPlaceholders(field: Path, value: string): void {
    if (!hasMalformedPlaceholder(value)) return;
    this.#warn('mcp_placeholder_invalid', field, 'a placeholder in this value does not name an environment variable', {
      specificHint: 'write {env:NAME} with letters, digits and _, or write the value itself without {env:}',
    });
  }

  /** Reports an error that the legacy system does not report. */
  strictError(field: Path, message: string, specificHint?: string): void {
    this.broken = true;
    this.#report.strictError({ code: 'workspace_mcp_server_invalid', ...this.#at(field), message, specificHint });
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
    more: { specificHint?: string; pointsAtKey?: boolean } = {},
  ): void {
    this.#report.warn({ code, ...this.#at(field), message, ...more });
  }

  /** Messages show the trimmed name of the server. */
  #at(field: Path): { at: Path; displayPath?: string } {
    const at = ['mcp_registry', 'servers', this.#key, ...field];
    if (this.#key === this.#id) return { at };
    return { at, displayPath: formatPath(['mcp_registry', 'servers', this.#id, ...field]) };
  }
}

/** The fields that only the other type of server uses. */
const UNUSED = {
  local: ['url', 'headers'],
  remote: ['command', 'environment', 'npm', 'pypi', 'integrity', 'isolation'],
} as const;

const OTHER_NAMES_OF_LOCAL = new Set(['stdio', 'command', 'process']);
const OTHER_NAMES_OF_REMOTE = new Set([
  'http',
  'https',
  'sse',
  'http-sse',
  'streamable-http',
  'streamable_http',
  'url',
]);

function adviceForType(type: string | undefined): string {
  const name = type?.toLowerCase() ?? '';
  if (OTHER_NAMES_OF_LOCAL.has(name)) return "use 'local'";
  if (OTHER_NAMES_OF_REMOTE.has(name)) return "use 'remote'";
  return "use 'local' to start a `command` that communicates over stdin and stdout, or 'remote' to call a `url`";
}

function adviceForValue(value: unknown): string {
  if (isMapping(value) && Object.keys(value)[0]?.startsWith('env:')) return 'quote the placeholder: "{env:NAME}"';
  return `found ${kindOf(value)}; put the value in quotes`;
}
