import type { Contract, Field, Message } from './model.ts';
import { BANNER } from './write-types.ts';

/**
 * Writes one validation function per message. They run for every message of the bus, so each check is generated as
 * code, and paths are only built for errors. Unknown fields are accepted, as consumers must accept them.
 */
export function writeValidators(contract: Contract): string {
  const names = contract.messages.map((message) => message.name);
  const helpers = ['addProblem', 'FORMATS', 'isObject', 'isText', 'type Check'];
  return [
    BANNER,
    `import { ${helpers.join(', ')} } from '../validation/checks.ts';`,
    "import type { Problem } from '../errors/problem.ts';\n",
    ...contract.messages.map(writeMessage),
    '/** Message name → its check. */\nexport const CHECKS = {',
    ...names.map((name) => `  ${name}: check${name},`),
    '} as const satisfies Record<string, Check>;\n',
  ].join('\n');
}

function writeMessage(message: Message): string {
  const lines = message.fields.flatMap((field) => writeField(field));
  return [
    `export function check${message.name}(v: unknown, at: string, out: Problem[]): void {`,
    "  if (!isObject(v)) return addProblem(out, at, 'must be an object');",
    ...lines.map((line) => `  ${line}`),
    '}\n',
  ].join('\n');
}

function writeField(field: Field): string[] {
  const at = `\`\${at}.${field.name}\``;
  const lines = [`const ${field.name}_ = v.${field.name};`];
  const body = field.kind === 'single' ? writeValue(field, `${field.name}_`, at) : writeMany(field, at);
  if (body.length === 0 && !field.required) return [];
  if (field.required) {
    lines.push(`if (${field.name}_ === undefined) addProblem(out, ${at}, 'is required');`);
    if (body.length > 0) lines.push('else {', ...body.map((line) => `  ${line}`), '}');
  } else {
    lines.push(`if (${field.name}_ !== undefined) {`, ...body.map((line) => `  ${line}`), '}');
  }
  return lines;
}

function writeMany(field: Field, at: string): string[] {
  const name = `${field.name}_`;
  if (field.kind === 'list') {
    const each = writeValue(field, 'item', `\`\${at}.${field.name}[\${i}]\``);
    const loop =
      each.length === 0
        ? []
        : [`else for (const [i, item] of ${name}.entries()) {`, ...each.map((line) => `  ${line}`), '}'];
    return [`if (!Array.isArray(${name})) addProblem(out, ${at}, 'must be a list');`, ...loop];
  }
  const each = writeValue(field, 'item', `\`\${at}.${field.name}.\${key}\``);
  const loop =
    each.length === 0
      ? []
      : [`else for (const [key, item] of Object.entries(${name})) {`, ...each.map((line) => `  ${line}`), '}'];
  return [`if (!isObject(${name})) addProblem(out, ${at}, 'must be an object');`, ...loop];
}

/** Generates the checks of one value; free-form JSON has none. */
function writeValue(field: Field, v: string, at: string): string[] {
  const { rule, type } = field;
  if (type.is === 'json') return [];
  if (type.is === 'object') return [`if (!isObject(${v})) addProblem(out, ${at}, 'must be an object');`];
  if (type.is === 'message') return [`check${type.name}(${v}, ${at}, out);`];
  if (type.is === 'boolean') return [`if (typeof ${v} !== 'boolean') addProblem(out, ${at}, 'must be true or false');`];
  if (type.is === 'string') return [writeString(rule, v, at)];
  return [writeNumber(field, v, at)];
}

function writeString(rule: Field['rule'], v: string, at: string): string {
  if (rule.constant) return `if (${v} !== '${rule.constant}') addProblem(out, ${at}, 'must be "${rule.constant}"');`;
  if (rule.in.length > 0) {
    const test = rule.in.map((value) => `${v} !== '${value}'`).join(' && ');
    return `if (${test}) addProblem(out, ${at}, 'must be one of ${rule.in.join(', ')}');`;
  }
  if (rule.format)
    return `if (typeof ${v} !== 'string' || !FORMATS.${rule.format}.test(${v})) addProblem(out, ${at}, FORMATS.${rule.format}.message);`;
  if (rule.notBlank) return `if (!isText(${v})) addProblem(out, ${at}, 'must be a string that is not blank');`;
  return `if (typeof ${v} !== 'string') addProblem(out, ${at}, 'must be a string');`;
}

function writeNumber({ rule, type }: Field, v: string, at: string): string {
  const integer = type.is === 'integer';
  const tests = [integer ? `!Number.isSafeInteger(${v})` : `!Number.isFinite(${v})`];
  if (rule.min !== undefined) tests.push(`(${v} as number) < ${rule.min}`);
  if (rule.max !== undefined) tests.push(`(${v} as number) > ${rule.max}`);
  const bounds = [
    rule.min !== undefined && `at least ${rule.min}`,
    rule.max !== undefined && `at most ${rule.max}`,
  ].filter(Boolean);
  const message = [`must be ${integer ? 'an integer' : 'a number'}`, ...bounds].join(', ');
  return `if (${tests.join(' || ')}) addProblem(out, ${at}, '${message}');`;
}
