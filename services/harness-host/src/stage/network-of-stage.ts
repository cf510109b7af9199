import type { AdapterEvent, RuntimeStageRequested } from '@reins/contracts';
import type { HarnessEnvironment } from '@reins/harness';
import type { DoorServer, RunNetwork } from '../executor/host-network.ts';
import type { StagePorts } from './stage-ports.ts';

/** What the executor of one stage can connect to, from its preparation until its end. */
export class NetworkOfStage {
  readonly #ports: Pick<StagePorts, 'network' | 'environmentOf'>;
  readonly #runtimeId: string;
  readonly #onRefused: (signal: AdapterEvent) => void;
  #network: RunNetwork | undefined;

  /** @param onRefused called with the signal of each connection that the egress proxy refused */
  constructor(
    ports: Pick<StagePorts, 'network' | 'environmentOf'>,
    { runtimeId }: Pick<RuntimeStageRequested, 'runtimeId'>,
    onRefused: (signal: AdapterEvent) => void,
  ) {
    this.#ports = ports;
    this.#runtimeId = runtimeId;
    this.#onRefused = onRefused;
  }

  /** Opens the doors of the executor, to its model and to these tools. */
  async open(tools: DoorServer | undefined): Promise<RunNetwork> {
    const adapter = this.#runtimeId;
    this.#network = await this.#ports.network.openRun(tools, ({ host, port, code, reason }) =>
      this.#onRefused({ adapter, nativeType: code, reason, detail: { host, port, setting: 'host.allow' } }),
    );
    return this.#network;
  }

  /** The environment of the executor. Only probes call providers directly: the run has no key but its token. */
  environmentIn({ network }: RunNetwork): HarnessEnvironment {
    const { sandbox, ...environment } = this.#ports.environmentOf(this.#runtimeId);
    return { ...environment, providers: {}, ...(sandbox && { sandbox: { ...sandbox, network } }) };
  }

  /** Closes the doors. Nothing of the run can connect any more. */
  close(): void {
    this.#network?.close();
  }
}
