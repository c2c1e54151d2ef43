/** The parts of a request that identify the page that made it. */
export interface Provenance {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`, which no script can set. */
  readonly fetchSite: string | undefined
}

/**
 * True if the browser reports that a page of this origin made the request. A request that changes something must state
 * its origin. A request that only reads may omit its origin, but must not come from another origin.
 */
export function isSameOrigin({ host, origin, fetchSite }: Provenance, changes: boolean): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  // If a request names no host, its origin can't be compared with a host. Without this check, the origin `null` would
  // match the missing host.
  if (host === undefined) return false
  if (origin !== undefined) return hostOf(origin) === host.toLowerCase()
  return fetchSite === 'same-origin' || !changes
}

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined
