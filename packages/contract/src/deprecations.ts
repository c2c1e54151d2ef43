import type { OPERATIONS } from './operations.ts'

/** An operation that will end, and where its end is explained. */
export interface Deprecation {
  /** From when on clients are told, `YYYY-MM-DD` at midnight UTC. */
  readonly since: string
  /** From when on it may no longer answer, `YYYY-MM-DD` at midnight UTC. */
  readonly sunset: string
  /** The path or URL of what to use instead. */
  readonly docs: string
}

export type Deprecations = Readonly<Partial<Record<keyof typeof OPERATIONS, Deprecation>>>

/** Everything that is deprecated within v1: the one place that headers and OpenAPI are made from. */
export const DEPRECATIONS: Deprecations = {}

const DAY_MS = 86_400_000
/** A partner's release cycle, twice: what clients are promised. */
const NOTICE_DAYS_MIN = 180

const midnight = (day: string): number => {
  const ms = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new RangeError(`${day} is no day as YYYY-MM-DD`)
  return ms
}

/**
 * The headers that tell of a deprecation: Deprecation (RFC 9745), Sunset (RFC 8594) and a link.
 *
 * @throws RangeError where a day is none, or fewer than 180 days lie between the two.
 */
export function deprecationHeaders({ since, sunset, docs }: Deprecation): Record<string, string> {
  const [sinceMs, sunsetMs] = [midnight(since), midnight(sunset)]
  if (sunsetMs - sinceMs < NOTICE_DAYS_MIN * DAY_MS) {
    throw new RangeError(`a sunset comes at least ${NOTICE_DAYS_MIN} days after its announcement`)
  }
  return {
    deprecation: `@${sinceMs / 1_000}`,
    sunset: new Date(sunsetMs).toUTCString(),
    link: `<${docs}>; rel="deprecation"`,
  }
}
