import type { Caller } from './api-keys.ts';

/** Who acts or decides: the name of the API key, with the person if the call names one. */
export const personOf = ({ name }: Pick<Caller, 'name'>, person: string | undefined): string =>
  person === undefined ? name : `${person} (${name})`;
