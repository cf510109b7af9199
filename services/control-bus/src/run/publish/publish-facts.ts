import { isReinsError } from '@reins/contracts';
import type { Emission, RunState } from '@reins/journal';
import type { PublishMode, RunPorts } from '../run-ports.ts';

type Ports = Pick<RunPorts, 'factPublisher' | 'publishedEnd'>;

/** The idempotency keys of the pauses of damaged runs start with it. */
export const DAMAGE_KEY = 'damaged.';

/**
 * Publishes facts of a run. Leaves its terminal fact out if the event log has another one, whose entry the journal has
 * lost: a run has one terminal fact.
 * @throws ReinsError of the bus
 */
export async function publishFacts(
  ports: Ports,
  state: RunState,
  emissions: readonly Emission[],
  cause: string | undefined,
  how?: PublishMode,
): Promise<void> {
  const { factPublisher } = ports;
  const end = emissions.find(({ terminal }) => terminal);
  const withoutEnd = emissions.filter((emission) => emission !== end);
  if (end && (await hasEndOfOtherType(ports, state, end))) return factPublisher.publish(withoutEnd, cause, how);
  try {
    await factPublisher.publish(emissions, cause, how);
  } catch (error) {
    if (!end || !isReinsError(error) || error.code !== 'bus_sequence_taken') throw error;
    await factPublisher.publish(withoutEnd, cause, how);
  }
}

/** The event log refuses a second end of the same type. Only a run that was damaged can have one of another type. */
async function hasEndOfOtherType({ publishedEnd }: Ports, state: RunState, end: Emission): Promise<boolean> {
  if (!state.commands.keys().some((key) => key.startsWith(DAMAGE_KEY))) return false;
  const published = await publishedEnd?.(state.run);
  return published !== undefined && published.type !== end.body.type;
}
