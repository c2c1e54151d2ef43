import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback, isPublicAddress } from './public-address.ts'

/** Finds all addresses of a host name; empty if the name has no address. Ends soon after the signal aborts. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

export interface TargetPolicy {
  /** For development: endpoints on this machine are allowed, even without TLS. */
  readonly allowsLoopback: boolean
  readonly resolve: Resolve
}

/** Thrown for an endpoint that must not receive messages. Its text gives the reason, without an address. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
}

/** Time that a query waits for one name server, in milliseconds. Then it asks the next name server. */
const NAME_SERVER_MS = 2_000
const URL_MAX = 2_048
/**
 * Matches characters that a URL must not contain, although parsers accept them. One of them is the zero character.
 * PostgreSQL refuses it in text.
 */
const NO_URL = /[\s\p{Cc}\p{Cs}]/u

/**
 * Creates a function that resolves a host name by a new DNS query, at the machine's name servers or at the given
 * servers. The operating system's own query would block a thread, and couldn't be cancelled.
 */
export function nameResolver(servers?: readonly string[]): Resolve {
  return async (hostname, signal) => {
    if (hostname === 'localhost') return ['127.0.0.1', '::1']
    const resolver = new Resolver({ timeout: NAME_SERVER_MS, tries: 1 })
    if (servers !== undefined) resolver.setServers(servers)
    const none = (): string[] => []
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
      return (await Promise.all(asked.map((one) => one.catch(none)))).flat()
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

/**
 * Resolves an endpoint's host name, and checks its addresses. The connection may use any of these addresses. So if one
 * address isn't allowed, the endpoint is refused.
 *
 * @throws RefusedTarget if an address isn't allowed, or if the signal aborts before the name is resolved.
 */
export async function checkedAddresses(
  url: URL,
  { allowsLoopback, resolve }: TargetPolicy,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host]
  if (signal.aborted) throw new RefusedTarget('its name servers did not answer in time')
  if (addresses.length === 0) throw new RefusedTarget('its name has no address')
  const areOwn = addresses.every(isLoopback)
  if (allowsLoopback && areOwn) return addresses
  if (url.protocol !== 'https:') throw new RefusedTarget('it must be https')
  if (!addresses.every(isPublicAddress)) throw new RefusedTarget('its address is not public')
  return addresses
}

/** Parses an endpoint's URL. @throws RefusedTarget if it isn't a plain http or https URL. */
export function parseTarget(text: string): URL {
  const isUrl = text.length <= URL_MAX && !NO_URL.test(text) && URL.canParse(text)
  if (!isUrl) throw new RefusedTarget('it is not a URL')
  const url = new URL(text)
  if (!['http:', 'https:'].includes(url.protocol)) throw new RefusedTarget('it must be https')
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new RefusedTarget('it must have no user, password or fragment')
  }
  return url
}
