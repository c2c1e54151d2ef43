/** The parts of a request that identify the page that made it. */
export interface Provenance {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`, which no script can set. */
  readonly fetchSite: string | undefined
}

/**
 * True if a page of this origin made the request, according to its browser. A request that changes something
 * must state its origin; a reading one may omit it, but must not come from another origin.
 */
export function isSameOrigin({ host, origin, fetchSite }: Provenance, changes: boolean): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  // Without a host there is no own origin; otherwise a `null` origin would match.
  if (host === undefined) return false
  if (origin !== undefined) return hostOf(origin) === host.toLowerCase()
  return fetchSite === 'same-origin' || !changes
}

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined
