export const words = { hello: 'Hello' };
