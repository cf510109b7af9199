import { describe, expect, test } from '@jest/globals';
import { isMetadataAddress, isPublicAddress } from './addresses.ts';
import { allowList } from './allow-list.ts';
import { decideConnect } from './decide-connect.ts';

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
  ...['255.255.255.255', '168.63.129.16', '192.0.0.192', '::1', '::', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254'],
  ...['fc00::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:a00:1', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ...['2001:0:7f00::1', '2001:db8::1', 'ff02::1', '::127.0.0.1'],
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

test.each(['1.1.1.1', '104.16.0.1', '172.32.0.1', '2606:4700::1', '::ffff:1.1.1.1'])('%s is public', (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

test.each(['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fd00:ec2::254', '168.63.129.16'])(
  '%s serves metadata',
  (address) => expect(isMetadataAddress(address)).toBe(true),
);

describe('a connection', () => {
  const decided = (entries: readonly string[], host: string, port: number, address?: string) => {
    const decision = decideConnect({ host, port, ...(address && { address }) }, allowList(entries));
    return decision.decision === 'allow' ? 'allow' : decision.code;
  };
  const [NAME, ADDRESS] = ['network_connect_denied', 'network_address_denied'] as const;

  test.each([
    [['example.com'], 'example.com', 443, 'allow'],
    [['example.com'], 'example.com', 80, 'allow'],
    [['Example.com'], 'example.com', 443, 'allow'],
    [['example.com'], 'example.com', 22, NAME],
    [['example.com:8443'], 'example.com', 8443, 'allow'],
    [['example.com:8443'], 'example.com', 443, NAME],
    [['example.com'], 'a.example.com', 443, NAME],
    [['*.example.com'], 'a.b.example.com', 443, 'allow'],
    [['*.example.com'], 'example.com', 443, NAME],
    [['*.example.com'], 'badexample.com', 443, NAME],
    [['example.com'], 'example.com.evil.org', 443, NAME],
    [['10.0.0.0/8:443'], '10.1.2.3', 443, 'allow'],
    [['10.0.0.0/8:443'], '10.1.2.3', 80, NAME],
    [['10.0.0.0/8'], '10.1.2.3', 8080, 'allow'],
    [['[fd00::1]:443'], 'fd00::1', 443, 'allow'],
    [['127.0.0.1:80'], '::ffff:127.0.0.1', 80, 'allow'],
    [['example.com'], '127.0.0.1', 443, NAME],
    [[], 'example.com', 443, NAME],
  ] as const)('with %j to %s:%i: %s', (entries, host, port, expected) => {
    expect(decided(entries, host, port)).toBe(expected);
  });

  test.each([
    [['example.com'], '93.184.216.34', 'allow'],
    [['example.com'], '127.0.0.1', ADDRESS],
    [['example.com'], '10.0.0.1', ADDRESS],
    [['example.com', '10.0.0.0/24'], '10.0.0.1', 'allow'],
    [['example.com', '10.0.0.1:80'], '10.0.0.1', ADDRESS],
    [['example.com'], '169.254.169.254', ADDRESS],
    [['example.com', '169.254.0.0/16'], '169.254.169.254', ADDRESS],
  ] as const)('with %j to a name with the address %s: %s', (entries, address, expected) => {
    expect(decided(entries, 'example.com', 443, address)).toBe(expected);
  });
});

test.each(['example.com:0', 'example.com:70000', '10.0.0.0/40', '[example.com]', '1.2.3', 'a/8'])(
  '%s is not a destination',
  (entry) => expect(() => allowList([entry])).toThrow(/is not a destination/),
);
