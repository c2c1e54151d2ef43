import { GROUPS_OF_A_NETWORK } from '../usecases/access/site-of.ts'

/** Matches an address with the port of its connection, or in brackets. Some proxies report addresses in such forms. */
const WITH_PORT = /^\[(?<v6>[^\]]*)\](:\d+)?$|^(?<v4>[\d.]+):\d+$/
/** Matches an IPv4 address in the form of an IPv6 address. A socket that listens on `::` reports such addresses. */
const MAPPED = /^::ffff:(?=[\d.]+$)/i

/**
 * Returns the network that counts as one caller. For IPv6, the network is the /64 network, because an internet provider
 * usually gives each customer a whole /64. The port isn't part of the network, because each connection of a caller has
 * its own port.
 *
 * @param reported undefined if the caller has already disconnected, although the framework's type excludes undefined.
 * All such callers count as one network.
 */
export function networkOf(reported: string | undefined): string {
  if (reported === undefined) return 'unknown'
  if (!reported.includes(':')) return reported
  const { v4, v6 } = WITH_PORT.exec(reported)?.groups ?? {}
  const address = (v4 ?? v6 ?? reported).replace(MAPPED, '')
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]
  return groups.slice(0, GROUPS_OF_A_NETWORK).join(':')
}
