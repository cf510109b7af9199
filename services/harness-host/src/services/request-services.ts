import { join } from 'node:path';
import { type ProcessSandbox, resumeRuns, suspendRuns } from '@reins/harness';
import type { KeptServices, WatchedProcess } from '@reins/tool-gateway';
import type { RunNetwork } from '../executor/host-network.ts';
import { makeRunFolder, type RunFolder } from '../executor/run-folder.ts';
import type { ServicesHost } from './services-host.ts';

/**
 * The servers and applications of one request on this host, and the folder that they work in. One stage at a time uses
 * them. The path of the tree is the same for all stages, because processes have it as their working directory.
 */
export class RequestServices {
  readonly folder: RunFolder;
  readonly kept: KeptServices;
  /** The values of the installation's variables that were passed to services. They must be redacted. */
  readonly secrets = new Set<string>();
  readonly #host: ServicesHost;
  readonly #network: RunNetwork | undefined;
  readonly #tokens = new Set<string>();
  #isSuspended = false;
  #closing: Promise<void> | undefined;

  private constructor(host: ServicesHost, folder: RunFolder, kept: KeptServices, network: RunNetwork | undefined) {
    this.#host = host;
    this.folder = folder;
    this.kept = kept;
    this.#network = network;
    for (const secret of network?.secrets ?? []) this.secrets.add(secret);
  }

  static async create(host: ServicesHost): Promise<RequestServices> {
    const [folder, { KeptServices }] = await Promise.all([makeRunFolder(), import('@reins/tool-gateway')]);
    const network = await host.openNetwork('services of a request');
    return new RequestServices(host, folder, new KeptServices(servicesDirIn(folder)), network);
  }

  /** The sandbox of its processes, with a network that no other request uses. */
  get sandbox(): ProcessSandbox | undefined {
    const network = this.#network?.network;
    return this.#host.sandbox && network ? { ...this.#host.sandbox, network } : this.#host.sandbox;
  }

  /** The folder for homes and copies of the tree. */
  get servicesDir(): string {
    return servicesDirIn(this.folder);
  }

  /** Registers a process, for the memory guard and for suspension. */
  watch(process: WatchedProcess): void {
    this.#tokens.add(process.runToken);
    this.#host.watch(process);
  }

  /** Returns a variable that workspaces may use. */
  variable(name: string): string | undefined {
    const value = this.#host.variable(name);
    if (value) this.secrets.add(value);
    return value;
  }

  /** Suspends all processes, so that nothing changes the tree. Stops them if one of them cannot be suspended. */
  async suspend(): Promise<void> {
    this.#isSuspended = await suspendRuns(this.#tokens);
    if (!this.#isSuspended) await this.kept.close();
  }

  /** Whether a later stage can use them. */
  get isSuspended(): boolean {
    return this.#isSuspended && this.#closing === undefined;
  }

  async resume(): Promise<void> {
    this.#isSuspended = false;
    await resumeRuns(this.#tokens);
  }

  /** Stops everything and removes the folder. Idempotent; never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // A suspended process would not react to a request to stop.
    await this.resume();
    await this.kept.close();
    this.#network?.close();
    for (const token of this.#tokens) this.#host.forget(token);
    await this.folder.remove().catch(() => undefined);
  }
}

const servicesDirIn = ({ root }: RunFolder): string => join(root, 'services');
