/**
 * Measures what live stages of one host cost: writes of the bucket `claims`, and JetStream acknowledgements that extend
 * the ack deadline: `npm run bench -- liveness`. The stages wait and do nothing else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_SETTINGS, HostFixture } from '../src/testing/host-fixture.ts';

const STAGES = [1, 16, 64] as const;
/** Time until the first heartbeats of all stages are written. */
const SETTLE_MS = 12_000;
const WINDOW_MS = 30_000;

interface Rates {
  readonly claimWritesPerS: number;
  readonly acksPerS: number;
}

async function measure(stages: number): Promise<Rates> {
  const fixture = await HostFixture.start();
  try {
    await fixture.host({ host: { ...DEFAULT_SETTINGS.host, slots: stages } });
    const instruction = '@echo delay 600000';
    for (let n = 0; n < stages; n += 1) {
      const { effectId } = await fixture.request({ instruction });
      await fixture.firstEvent(effectId, 'runtime.stage.started');
    }
    await sleep(SETTLE_MS);
    const counts = { writes: 0, acks: 0 };
    const { nc } = fixture.bus;
    const count = (subject: string, add: (text: string) => void): void =>
      void nc.subscribe(subject, { callback: (_error, message) => add(message.string()) });
    count('$KV.claims.>', () => {
      counts.writes += 1;
    });
    count('$JS.ACK.EVENTS.>', (text) => {
      if (text === '+WPI') counts.acks += 1;
    });
    await nc.flush();
    await sleep(WINDOW_MS);
    const rate = (messages: number): number => Math.round((messages * 100_000) / WINDOW_MS) / 100;
    const { writes, acks } = counts;
    return { claimWritesPerS: rate(writes), acksPerS: rate(acks) };
  } finally {
    await fixture.stop();
  }
}

const results: Record<string, Rates> = {};
for (const stages of STAGES) results[`${stages} live stages`] = await measure(stages);
console.log(JSON.stringify(results, null, process.argv.includes('--json') ? 0 : 2));
