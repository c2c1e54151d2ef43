import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback, isPublicAddress } from './public-address.ts'

/** Finds all addresses of a host name; empty if the name has no address. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface TargetPolicy {
  /** For development: endpoints on this machine are allowed, even without TLS. */
  readonly allowsLoopback: boolean
  readonly resolve: Resolve
}

/** Thrown for an endpoint that must not receive messages. Its text gives the reason, without an address. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
}

/**
 * Time limit of each of the two DNS queries. So a name server that doesn't answer can't delay other messages for long.
 */
const RESOLVE_MS = 2_000
const URL_MAX = 2_048
/**
 * Matches characters that a URL must not contain, although parsers accept them. One of them is the zero character.
 * PostgreSQL refuses it in text.
 */
const NO_URL = /[\s\p{Cc}\p{Cs}]/u

/**
 * Resolves a host name by a new DNS query. The operating system's own query would block a thread, and couldn't be
 * cancelled.
 */
export async function resolveName(hostname: string): Promise<readonly string[]> {
  if (hostname === 'localhost') return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 2 })
  const none = (): string[] => []
  const found = await Promise.all([
    resolver.resolve4(hostname).catch(none),
    resolver.resolve6(hostname).catch(none),
  ])
  return found.flat()
}

/**
 * Resolves an endpoint's host name, and checks its addresses. The connection may use any of them. So if one address
 * isn't allowed, the endpoint is refused.
 *
 * @throws RefusedTarget if an address isn't allowed.
 */
export async function checkedAddresses(url: URL, policy: TargetPolicy): Promise<readonly string[]> {
  const { allowsLoopback, resolve } = policy
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
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
