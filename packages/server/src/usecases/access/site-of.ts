/** The number of groups of an IPv6 address that name its network (see `networkOf`), a /64. */
export const GROUPS_OF_A_NETWORK = 4
const GROUPS_OF_A_SITE = 3

/**
 * The site of a network (see `networkOf`): for IPv6 its /48, and otherwise the network itself. Some providers give a
 * customer more than one /64: often a /56 with 256 networks, or a /48 with 65,536. So quotas that one customer must not
 * multiply are counted for each site.
 */
export function siteOf(network: string): string {
  const groups = network.split(':')
  return groups.length === GROUPS_OF_A_NETWORK
    ? groups.slice(0, GROUPS_OF_A_SITE).join(':')
    : network
}
