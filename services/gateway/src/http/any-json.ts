/** The OpenAPI schema of free-form JSON. */
export const ANY_JSON = {
  description: 'any JSON',
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
};
