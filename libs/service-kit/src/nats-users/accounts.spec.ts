import { describe, expect, it } from '@jest/globals';
import { natsAccounts, STREAMS_ACCOUNT } from './accounts.ts';
import { NATS_USERS } from './users.ts';

interface Import {
  readonly service?: { readonly account: string; readonly subject: string };
  readonly to?: string;
}

const accounts = natsAccounts((user) => `U-${user}`, ['pi', 'codex']);
const servicesOf = (account: string): string[] =>
  ((accounts[account]?.imports ?? []) as Import[]).flatMap(({ service, to }) =>
    service ? [to ?? service.subject] : [],
  );

/** Whether one subject can match both patterns. */
function overlap(a: string, b: string): boolean {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let n = 0; n < Math.max(left.length, right.length); n += 1) {
    const [x, y] = [left[n], right[n]];
    if (x === '>' || y === '>') return x !== undefined && y !== undefined;
    if (x === undefined || y === undefined || (x !== y && x !== '*' && y !== '*')) return false;
  }
  return true;
}

describe('the accounts of the NATS server', () => {
  it('let the gateway count the commands that wait, and read none of them', () => {
    const ofInbox = servicesOf('gateway').filter((subject) => subject.includes('.INBOX'));
    expect(ofInbox).toEqual([expect.stringMatching(/STREAM\.INFO\.INBOX$/)]);
  });

  it('have each user once, and in the account of the streams only those who write it', () => {
    const users = Object.entries(accounts).flatMap(([account, { users: all }]) =>
      all.map(({ nkey }) => `${account} ${nkey}`),
    );
    const guests = NATS_USERS.filter((user) => user !== 'operator' && user !== 'control-bus');
    expect(users.sort()).toEqual(
      [
        `${STREAMS_ACCOUNT} U-control-bus`,
        `${STREAMS_ACCOUNT} U-operator`,
        ...guests.map((user) => `${user} U-${user}`),
      ].sort(),
    );
  });

  it.each(Object.keys(accounts))('import no subject twice into %s, which would store a message twice', (account) => {
    const subjects = servicesOf(account);
    const twice = subjects.flatMap((a, n) =>
      subjects
        .slice(n + 1)
        .filter((b) => overlap(a, b))
        .map((b) => `${a} ${b}`),
    );
    expect(twice).toEqual([]);
  });

  it('import only what they may publish, and no API by which streams or the consumers of others can be changed', () => {
    for (const [account, { users }] of Object.entries(accounts)) {
      if (account === STREAMS_ACCOUNT) continue;
      expect(servicesOf(account).sort()).toEqual([...(users[0]?.permissions.publish.allow ?? [])].sort());
      const changes = servicesOf(account).filter((subject) =>
        /^REINS\.API\.(STREAM\.(CREATE|UPDATE|DELETE|PURGE|MSG\.DELETE)|CONSUMER\.\w+\.(EVENTS|COMMANDS|INBOX|JOURNAL)\.[*>])/.test(
          subject,
        ),
      );
      // Only memory erases messages, and only those of its own stream.
      expect(changes).toEqual(account === 'memory' ? ['REINS.API.STREAM.MSG.DELETE.MEMORY'] : []);
    }
  });

  it('give harness hosts the durables of their runtimes', () => {
    expect(servicesOf('harness-host')).toEqual(
      expect.arrayContaining(
        ['pi', 'codex'].map((id) => `REINS.API.CONSUMER.MSG.NEXT.EVENTS.runtime-stage-requested-${id}`),
      ),
    );
  });
});
