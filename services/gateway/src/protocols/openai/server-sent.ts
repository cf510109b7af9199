/** A server-sent event with JSON data. */
export function serverSent(data: object, name?: string): Buffer {
  return Buffer.from(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
}
