import { BlockList, isIP } from 'node:net';

/** Networks of IPv4 that are not the public internet (IANA special-purpose registry). */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** Only this network of IPv6 is public. It contains no addresses with an embedded IPv4 address, except these. */
const PUBLIC_IPV6 = ['2000::/3'];
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/**
 * Addresses by which a machine in a cloud gets its credentials, and link-local ones. No setting allows them. Azure's is
 * public.
 */
const METADATA = ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', 'fe80::/10', 'fd00:ec2::/32'];

const special = networks([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const publicIpv6 = networks(PUBLIC_IPV6);
const metadata = networks(METADATA);

/** Whether the address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const real = unmapped(address);
  if (contains(special, real) || contains(metadata, real)) return false;
  return isIP(real) === 4 || contains(publicIpv6, real);
}

/** Whether the address belongs to the metadata service of a cloud. */
export const isMetadataAddress = (address: string): boolean => contains(metadata, unmapped(address));

/** Networks as `address/prefix`, or single addresses. */
export function networks(all: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of all) {
    const [address = '', prefix] = each.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
  }
  return list;
}

export const contains = (list: BlockList, address: string): boolean => {
  const real = unmapped(address);
  return list.check(real, isIP(real) === 4 ? 'ipv4' : 'ipv6');
};

/** An IPv4 address in the form of IPv6 reaches the IPv4 address. Zones are removed. */
function unmapped(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (isIP(plain) !== 6) return plain;
  const { hostname } = new URL(`http://[${plain}]`);
  const [, high = '', low = ''] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === '') return plain;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff]).join('.');
}
