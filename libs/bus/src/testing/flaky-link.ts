import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy that drops what a test wants to lose: requests before they arrive, or replies to requests that arrived. On a
 * real connection the loss depends on timing; here it is deterministic.
 */
export class FlakyLink {
  readonly #server: Server;
  readonly #pairs = new Set<{ client: Socket; server: Socket }>();
  #losing: 'requests' | 'replies' | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(targetPort: number): Promise<FlakyLink> {
    const server = createServer();
    const link = new FlakyLink(server);
    server.on('connection', (client) => link.#proxy(client, targetPort));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get url(): string {
    const address = this.#server.address();
    return `nats://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Drops these from now on. */
  lose(what: 'requests' | 'replies'): void {
    this.#losing = what;
  }

  /** Closes the connection; the next one works. */
  cut(): void {
    this.#losing = undefined;
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }

  #proxy(client: Socket, targetPort: number): void {
    const server = connect(targetPort, '127.0.0.1');
    const pair = { client, server };
    this.#pairs.add(pair);
    client.on('data', (data) => this.#losing !== 'requests' && server.write(data));
    server.on('data', (data) => this.#losing !== 'replies' && client.write(data));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => {
        other.destroy();
        this.#pairs.delete(pair);
      });
    }
  }
}
