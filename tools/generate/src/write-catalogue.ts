import type { Contract } from './model.ts';
import { BANNER } from './write-types.ts';

/** Writes the catalogue as data: event type → channel and check; entry type → check. */
export function writeCatalogue(contract: Contract): string {
  const events = contract.messages.filter((message) => message.event);
  const entries = contract.messages.filter((message) => message.entry);
  return [
    BANNER,
    "import type { Channel } from '../catalogue/channel.ts';",
    "import type { Check } from '../validation/checks.ts';",
    "import type { EntryData, EventBodies } from './types.ts';",
    "import { CHECKS } from './validators.ts';\n",
    '/** Channel and body check of every event type. */',
    'export const EVENTS: { readonly [T in keyof EventBodies]: { readonly channel: Channel; readonly check: Check } } = {',
    ...events.map(({ event, name }) => `  '${event?.type}': { channel: '${event?.channel}', check: CHECKS.${name} },`),
    '};\n',
    '/** Data check of every journal entry type. */',
    'export const ENTRIES: { readonly [T in keyof EntryData]: Check } = {',
    ...entries.map(({ entry, name }) => `  ${entry}: CHECKS.${name},`),
    '};\n',
  ].join('\n');
}
