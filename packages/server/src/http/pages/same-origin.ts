/** What of a request says which page made it. */
export interface Provenance {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`, which no script can set. */
  readonly fetchSite: string | undefined
}

/**
 * True where a request was made by a page of this very origin, as far as its browser says. A request that
 * changes something must say so; one that only reads may come without a word, but not from elsewhere.
 */
export function isSameOrigin({ host, origin, fetchSite }: Provenance, changes: boolean): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  // Without a host there is no own origin, not even for an origin that is none.
  if (host === undefined) return false
  if (origin !== undefined) return hostOf(origin) === host.toLowerCase()
  return fetchSite === 'same-origin' || !changes
}

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined
