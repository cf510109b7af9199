/** `T` without undefined: a field that may be undefined is an optional one. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * A copy of `fields` without those that are undefined. Facts, rows and documents have no field for what is not known, so
 * that equal ones have equal bytes.
 */
export function defined<T extends object>(fields: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  // A loop, because the fold of every journal entry comes through here.
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept as Defined<T>;
}
