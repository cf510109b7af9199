import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of a call. Undefined: it was not accepted; the rest is not read.
 * @throws when the client has disconnected
 */
export function bodyOf(request: IncomingMessage, accept: (bytes: Buffer) => boolean): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  request.on('data', (bytes: Buffer) => {
    if (accept(bytes)) chunks.push(bytes);
    else {
      request.pause();
      resolve(undefined);
    }
  });
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => reject(new Error('the client has disconnected')));
  return promise;
}
