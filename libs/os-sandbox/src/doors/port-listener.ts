import { renameSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { ReinsError } from '@reins/contracts';

/**
 * A listening Unix socket that a child inherits. Only the child accepts its connections, so the host cannot be led to
 * another server, whatever the child does to the files that it sees.
 */
export class PortListener {
  /** The descriptor that the child inherits. */
  readonly descriptor: number;
  readonly #path: string;
  readonly #server: Server;

  /** @throws ReinsError `request_invalid` when the socket cannot be created, such as for a path that is too long */
  constructor(path: string) {
    this.#path = path;
    this.#server = createServer().on('error', () => undefined);
    this.#server.listen(path);
    // Node.js can pass a server only to a child that speaks its own protocol, and not through other programs.
    const { _handle: handle } = this.#server as unknown as { readonly _handle: { readonly fd: number } | null };
    if (handle === null) {
      const message = `the Unix socket ${path} cannot be created`;
      throw new ReinsError({ code: 'request_invalid', message, path });
    }
    this.descriptor = handle.fd;
  }

  /** The child has the descriptor now. */
  handOver(): void {
    // Closing removes the path, but the child goes on listening. The kernel reports the socket by its first path.
    const aside = `${this.#path}.kept`;
    renameSync(this.#path, aside);
    this.#server.close();
    renameSync(aside, this.#path);
  }

  /** The child has ended. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
