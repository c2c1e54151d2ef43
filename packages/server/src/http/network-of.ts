const GROUPS_OF_A_NETWORK = 4

/**
 * Returns the network that counts as one caller. For IPv6 this is the /64 network, because one customer usually has a
 * whole /64.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]
  return groups.slice(0, GROUPS_OF_A_NETWORK).join(':')
}
