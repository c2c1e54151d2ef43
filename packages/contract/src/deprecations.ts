import type { OPERATIONS } from './operations.ts'

/** An operation that will end, and the page that explains its end. */
export interface Deprecation {
  /** The day from which clients are warned, `YYYY-MM-DD` at midnight UTC. */
  readonly since: string
  /** The day from which the operation may stop answering, `YYYY-MM-DD` at midnight UTC. */
  readonly sunset: string
  /** The path or URL of the page about the replacement. */
  readonly docs: string
}

export type Deprecations = Readonly<Partial<Record<keyof typeof OPERATIONS, Deprecation>>>

/** Every deprecation within v1. The service's headers and the OpenAPI document are generated from this list. */
export const DEPRECATIONS: Deprecations = {}

const DAY_MS = 86_400_000
/** Minimum notice in days. Clients can rely on it. It gives a partner two release cycles. */
const NOTICE_DAYS_MIN = 180

const midnight = (day: string): number => {
  const ms = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new RangeError(`${day} is not a day in the form YYYY-MM-DD`)
  return ms
}

/**
 * The headers that announce a deprecation: Deprecation (RFC 9745), Sunset (RFC 8594) and a link.
 *
 * @throws RangeError if a day is invalid, or if `sunset` is less than 180 days after `since`.
 */
export function deprecationHeaders({ since, sunset, docs }: Deprecation): Record<string, string> {
  const [sinceMs, sunsetMs] = [midnight(since), midnight(sunset)]
  if (sunsetMs - sinceMs < NOTICE_DAYS_MIN * DAY_MS) {
    throw new RangeError(`a sunset must be at least ${NOTICE_DAYS_MIN} days after its announcement`)
  }
  return {
    deprecation: `@${sinceMs / 1_000}`,
    sunset: new Date(sunsetMs).toUTCString(),
    link: `<${docs}>; rel="deprecation"`,
  }
}
