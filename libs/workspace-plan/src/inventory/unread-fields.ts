import { ownProperty } from '../compile/values.ts';
import type { Documents } from './documents.ts';
import type { Family, Kind } from './shapes.ts';

/** Fields that the plan contains and that nothing reads in this version. */
const UNREAD: readonly (readonly [kind: Kind, field: string])[] = [
  ['Runtime', 'adapters'],
  ['Runtime', 'protocols'],
  ['Runtime', 'routes'],
  ['Agent', 'edges'],
  ['Agent', 'config'],
  ['Model', 'parameters'],
];

const UNREAD_FAMILIES: readonly Family[] = ['memory', 'protocols'];

/** Warns about fields and documents without an effect, so that no workspace relies on them. */
export function warnUnreadFields(documents: Documents): void {
  for (const [kind, field] of UNREAD) {
    for (const { spec, report } of documents.of(kind)) {
      if (ownProperty(spec ?? {}, field) === undefined) continue;
      const message = `'${field}' of ${kind} has no effect in this version`;
      report.warn({ code: 'workspace_value_ignored', at: ['spec', field], pointsAtKey: true, message });
    }
  }
  for (const { kind, report } of [
    ...documents.of('Workflow'),
    ...UNREAD_FAMILIES.flatMap((each) => documents.family(each)),
  ])
    report.warn({
      code: 'workspace_value_ignored',
      at: ['kind'],
      message: `a document of kind ${kind} has no effect in this version`,
    });
}
