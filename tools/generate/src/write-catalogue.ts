import type { Contract } from './model.ts';
import { BANNER } from './write-types.ts';

/** The catalogue as data: event type → channel and check; entry type → check. */
export function writeCatalogue(contract: Contract): string {
  const events = contract.messages.filter((message) => message.event);
  const entries = contract.messages.filter((message) => message.entry);
  return [
    BANNER,
    "import type { Channel } from '../catalogue/channel.ts';",
    "import type { Check } from '../validation/checks.ts';",
    "import type { EntryData, EventBodies } from './types.ts';",
    "import { CHECKS } from './validators.ts';\n",
    '/** Every event type: where it travels, and the check of its body. */',
    'export const EVENTS: { readonly [T in keyof EventBodies]: { readonly channel: Channel; readonly check: Check } } = {',
    ...events.map(({ event, name }) => `  '${event?.type}': { channel: '${event?.channel}', check: CHECKS.${name} },`),
    '};\n',
    '/** Every journal entry type, and the check of its data. */',
    'export const ENTRIES: { readonly [T in keyof EntryData]: Check } = {',
    ...entries.map(({ entry, name }) => `  ${entry}: CHECKS.${name},`),
    '};\n',
  ].join('\n');
}
