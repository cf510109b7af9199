import { defined } from '@reins/contracts';
import type { PackageRegistry, ServerPackage } from '../plan.ts';
import type { ServerFields } from './server-fields.ts';
import { isAbsent, kindOf, type Mapping, ownProperty, text } from './values.ts';

/** The keys of a server that name its package. */
export const PACKAGE_FIELDS = ['npm', 'pypi'] as const satisfies readonly PackageRegistry[];

interface RegistryRules {
  /** How the registry is called in messages. */
  readonly title: string;
  readonly example: string;
  /** Name and version, separated as users of the registry write them. */
  readonly split: RegExp;
  readonly name: RegExp;
  readonly version: RegExp;
  readonly integrity: RegExp;
  readonly integrityForm: string;
  /** The command that lists the versions of a package. */
  readonly versionsOf: (name: string) => string;
}

const RULES: Readonly<Record<PackageRegistry, RegistryRules>> = {
  npm: {
    title: 'npm',
    example: 'some-server@1.2.3',
    split: /^(@?[^@]+)@(.*)$/,
    name: /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/,
    version: /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/,
    integrity: /^sha512-[A-Za-z0-9+/]{86}==$/,
    integrityForm: '`sha512-…`, as `npm view <name>@<version> dist.integrity` prints it',
    versionsOf: (name) => `npm view ${name} versions`,
  },
  pypi: {
    title: 'PyPI',
    example: 'some-server@1.2.3',
    split: /^([^@=]+?)\s*(?:@|==)\s*(.*)$/,
    name: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    version:
      /^(?:\d+!)?\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?(?:\+[A-Za-z0-9]+(?:\.[A-Za-z0-9]+)*)?$/,
    integrity: /^sha256:[0-9a-f]{64}$/,
    integrityForm: '`sha256:…`, the hash that PyPI lists for the wheel',
    versionsOf: (name) => `pip index versions ${name}`,
  },
};

/** A version with digits only, within a range. */
const WITHIN_RANGE = /\d+(?:\.\d+)+/;
const MAX_NAME_LENGTH = 214;

/** Reads the package of a server, from `npm` or `pypi` and `integrity`. Undefined: it has none, or an invalid one. */
export function readPackage(fields: ServerFields, definition: Mapping): ServerPackage | undefined {
  const [registry, ...others] = PACKAGE_FIELDS.filter((key) => !isAbsent(ownProperty(definition, key)));
  const integrity = ownProperty(definition, 'integrity');
  if (registry === undefined) {
    if (!isAbsent(integrity)) fields.warnIgnored('integrity', "'integrity' is ignored: the server has no package");
    return undefined;
  }
  if (others.length > 0) {
    fields.strictError([others[0] as string], 'a server has one package, from npm or from PyPI', 'remove one of them');
    return undefined;
  }
  const named = readName(fields, registry, ownProperty(definition, registry));
  const hash = readIntegrity(fields, registry, integrity);
  return named && { registry, ...named, ...defined({ integrity: hash }) };
}

function readName(
  fields: ServerFields,
  registry: PackageRegistry,
  value: unknown,
): Pick<ServerPackage, 'name' | 'version'> | undefined {
  const { title, example, split, name: namePattern, version: versionPattern } = RULES[registry];
  const refuse = (message: string, hint: string): undefined => {
    fields.strictError([registry], message, hint);
    return undefined;
  };
  const declared = text(value)?.trim();
  if (declared === undefined)
    return refuse(`expected a package as text (got ${kindOf(value)})`, `for example \`${registry}: "${example}"\``);
  const [, name = declared, version = ''] = split.exec(declared) ?? [];
  const isName = namePattern.test(name) && name.length <= MAX_NAME_LENGTH;
  if (isName && versionPattern.test(version)) return { name: registry === 'pypi' ? normalized(name) : name, version };
  if (isName && name === declared)
    return refuse(`the package '${name}' has no version`, adviceForVersion(registry, name, ''));
  const plain = /^@?[A-Za-z0-9._/-]+/.exec(name)?.[0] ?? '';
  if (!namePattern.test(plain) || (version !== '' && plain !== name))
    return refuse(`'${name}' is not the name of a package of ${title}`, `for example \`${registry}: "${example}"\``);
  const range = declared.slice(plain.length).replace(/^@/, '');
  return refuse(`'${range}' is not an exact version`, adviceForVersion(registry, plain, range));
}

function adviceForVersion(registry: PackageRegistry, name: string, range: string): string {
  const within = WITHIN_RANGE.exec(range)?.[0];
  const { version, versionsOf } = RULES[registry];
  if (within !== undefined && version.test(within)) return `write an exact version, for example \`${name}@${within}\``;
  return `write \`${name}@<version>\` with an exact version; \`${versionsOf(name)}\` lists them`;
}

function readIntegrity(fields: ServerFields, registry: PackageRegistry, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  const { title, integrity, integrityForm } = RULES[registry];
  const hash = text(value)?.trim();
  if (hash !== undefined && integrity.test(hash)) return hash;
  fields.strictError(['integrity'], `this is not the hash of a package of ${title}`, `write ${integrityForm}`);
  return undefined;
}

/** PyPI compares names in this form. */
const normalized = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');
