console.log('this is no part of the schema');

const schema: object = { type: 'object', properties: { ok: { const: true } }, required: ['ok'] };

export default async () => schema;
