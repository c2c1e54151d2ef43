import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback, isPublicAddress } from './public-address.ts'

/**
 * Finds all addresses of a host name; empty if the name has no address. Ends soon after the signal aborts. @throws
 * UnresolvedTarget if the name servers fail.
 */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

export interface TargetPolicy {
  /** For development: endpoints on this machine are allowed, even without TLS. */
  readonly allowsLoopback: boolean
  readonly resolve: Resolve
}

/** Thrown for an endpoint that must not receive messages. Its text gives the reason, without an address. */
export class RefusedTarget extends Error {
  override readonly name: string = 'RefusedTarget'
}

/** Thrown if the name servers fail. Unlike the other reasons, this one often passes, and it says nothing of the name. */
export class UnresolvedTarget extends RefusedTarget {
  override readonly name = 'UnresolvedTarget'
}

/** Time that a query waits for one name server, in milliseconds. Then it asks the next name server. */
const NAME_SERVER_MS = 2_000
const URL_MAX = 2_048
const NOT_PUBLIC_NAME = 'its name must have public addresses only'
/** The answers of a name server that a name doesn't exist, or that it has no address of the requested kind. */
const NO_ADDRESS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])
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
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    let hasFailed = false
    const none = (error: NodeJS.ErrnoException): string[] => {
      hasFailed ||= !NO_ADDRESS.has(error.code)
      return []
    }
    try {
      const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
      const found = (await Promise.all(asked.map((one) => one.catch(none)))).flat()
      if (found.length === 0 && hasFailed && !signal.aborted) {
        throw new UnresolvedTarget('its name servers did not answer')
      }
      return found
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

/**
 * Resolves an endpoint's host name, and checks its addresses. The connection may use any of these addresses. So if one
 * address isn't allowed, the endpoint is refused. A name without an address is refused for the same reason as a name
 * with a private address. Otherwise a partner could find out which names exist in the service's network.
 *
 * @throws RefusedTarget if an address isn't allowed, or if the signal aborts before the name is resolved;
 *   UnresolvedTarget if the name servers fail.
 */
export async function checkedAddresses(
  url: URL,
  { allowsLoopback, resolve }: TargetPolicy,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isName = isIP(host) === 0
  const addresses = isName ? await resolve(host, signal) : [host]
  if (signal.aborted) throw new RefusedTarget('its name servers did not answer in time')
  const hasAny = addresses.length > 0
  if (allowsLoopback && hasAny && addresses.every(isLoopback)) return addresses
  if (url.protocol !== 'https:') throw new RefusedTarget('it must be https')
  if (hasAny && addresses.every(isPublicAddress)) return addresses
  throw new RefusedTarget(isName ? NOT_PUBLIC_NAME : 'its address is not public')
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
