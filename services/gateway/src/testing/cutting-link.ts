import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A proxy that breaks the connection exactly when its client sends a text. */
export class CuttingLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: { readonly text: string; readonly done: () => void } | undefined;
  #isBroken = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(targetUrl: string): Promise<CuttingLink> {
    const target = new URL(targetUrl);
    const server = createServer();
    const link = new CuttingLink(server);
    server.on('connection', (client) => link.#proxy(client, Number(target.port), target.hostname));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get url(): string {
    const address = this.#server.address();
    return `nats://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Resolves when the client has sent the text. It did not arrive, and there is no connection until `restore()`. */
  cutAt(text: string): Promise<void> {
    return new Promise((done) => {
      this.#cut = { text, done };
    });
  }

  restore(): void {
    this.#isBroken = false;
  }

  stop(): void {
    this.#break();
    this.#server.close();
  }

  #proxy(client: Socket, port: number, host: string): void {
    if (this.#isBroken) return void client.destroy();
    const server = connect(port, host);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    }
    pipeline(server, client, () => server.destroy());
    client.on('data', (data) => {
      if (!this.#cut || !data.includes(this.#cut.text)) return void server.write(data);
      this.#break();
      this.#cut.done();
      this.#cut = undefined;
    });
    client.on('close', () => server.destroy());
  }

  #break(): void {
    this.#isBroken = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}
