import { parseWhole } from '@sotto/protocol'
import { BlockList, isIPv4 } from 'node:net'

/**
 * Networks that aren't part of the public internet, from IANA's special-purpose registries (RFC 6890 and later). They
 * include this machine, local networks and cloud metadata. The V6 list also includes IPv6 forms that contain an IPv4
 * address. Otherwise such a form would bypass the check of the IPv4 address.
 */
const V4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12',
  '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24',
  '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24',
  '224.0.0.0/4', '240.0.0.0/4',
] as const // oxfmt-ignore
/** These networks are within 2000::/3. Every IPv6 address outside of 2000::/3 counts as non-public anyway. */
const V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'] as const

function listOf(type: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, parseWhole(bits), type)
  }
  return list
}

const special4 = listOf('ipv4', V4)
const special6 = listOf('ipv6', V6)
const global6 = listOf('ipv6', ['2000::/3'])
const loopback4 = listOf('ipv4', ['127.0.0.0/8'])

/** True for addresses that are reachable from the whole internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4')
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

/** True for addresses of this machine itself. */
export function isLoopback(address: string): boolean {
  return isIPv4(address) ? loopback4.check(address, 'ipv4') : address === '::1'
}
