/** Whether a value of the settings is a section with named settings. A map, whose keys are ids, is a plain object. */
export const isSection = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.constructor !== Object;
