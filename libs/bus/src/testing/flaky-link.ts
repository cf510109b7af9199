import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A way to a server that loses what the test wants lost: requests before they arrive, or answers to requests that have
 * arrived. What is lost on a real link depends on the moment; here it is certain.
 */
export class FlakyLink {
  readonly #server: Server;
  readonly #pairs = new Set<{ client: Socket; server: Socket }>();
  #losing: 'requests' | 'answers' | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(targetPort: number): Promise<FlakyLink> {
    const server = createServer();
    const link = new FlakyLink(server);
    server.on('connection', (client) => link.#join(client, targetPort));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get url(): string {
    const address = this.#server.address();
    return `nats://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** From now on these do not get through. */
  lose(what: 'requests' | 'answers'): void {
    this.#losing = what;
  }

  /** Ends the connection; the next one works. */
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

  #join(client: Socket, targetPort: number): void {
    const server = connect(targetPort, '127.0.0.1');
    const pair = { client, server };
    this.#pairs.add(pair);
    client.on('data', (data) => this.#losing !== 'requests' && server.write(data));
    server.on('data', (data) => this.#losing !== 'answers' && client.write(data));
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
