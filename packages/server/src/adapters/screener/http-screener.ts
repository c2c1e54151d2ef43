import { forgetLater, type Address } from '@sotto/protocol'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Screener } from '../../ports/screener.ts'
import { KeptPerAsker } from '../../running/kept-per-asker.ts'
import { askApart } from '../remote/ask-apart.ts'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { SecretSource } from '../remote/secret-source.ts'

export interface HttpScreenerOptions {
  readonly url: string
  readonly apiKey: SecretSource | undefined
  readonly timeoutMs: number
  /**
   * Upper bound of the random wait before each request. The waits bring the two requests of one transfer into random
   * order.
   */
  readonly spreadMs: number
  /** Time for which an answer is cached, in milliseconds. */
  readonly keptMs: number
  readonly clock: Clock
  readonly random: Random
}

const SERVICE = 'screener'
/** Maximum number of cached answers, which together take a few megabytes. */
const KEPT_MAX = 10_000
/** Interval at which expired answers are dropped. */
const DROP_MS = 60_000
const Answer = z.object({ identifications: z.array(z.unknown()) })

interface Verdict {
  readonly isRefused: Promise<boolean>
  readonly askedAtMs: number
}

/**
 * A screener that asks a service over HTTP: `GET /api/v1/address/<address>` with a key in the header `X-API-Key`. The
 * answer is `{ "identifications": [...] }`, as in the Chainalysis sanctions API. An address with an identification is
 * refused. A late answer and an answer in another form are errors. So every address that passes was really checked.
 *
 * An answer is cached for a while, so an order doesn't repeat the requests of its quote. If the screening service got
 * requests for the same two addresses twice within a minute, it would learn that they belong together. An answer is
 * cached only for the account that asked. Otherwise a fast answer would show another account that someone has asked
 * about this address. If too many answers are cached, the account with the most answers loses its oldest, so an account
 * displaces only its own answers.
 *
 * Expired answers are dropped within a minute. The two addresses of a transfer are cached with the same time. If they
 * stayed in memory, they would show the transfer even after the order's key is destroyed.
 */
export function openHttpScreener(options: HttpScreenerOptions): Screener {
  const { keptMs, clock } = options
  const known = new KeptPerAsker<Verdict>(KEPT_MAX)
  // A verdict from the future was given before the clock was set back. Its age is unknown, so it doesn't count.
  const isFresh = ({ askedAtMs }: Verdict): boolean => {
    const ageMs = clock.nowMs() - askedAtMs
    return ageMs >= 0 && ageMs < keptMs
  }
  const forget = forgetLater(() => known.dropWhere((verdict) => !isFresh(verdict)), DROP_MS)
  return {
    isRefused: (address, accountId) => {
      const kept = known.get(accountId, address)
      if (kept !== undefined && isFresh(kept)) return kept.isRefused
      const isRefused = askLater(options, address)
      const verdict = { isRefused, askedAtMs: clock.nowMs() }
      known.set(accountId, address, verdict)
      forget()
      // If a request fails, all callers that wait for it fail. The failure isn't cached.
      isRefused.catch(() => {
        if (known.get(accountId, address) === verdict) known.delete(accountId, address)
      })
      return isRefused
    },
  }
}

async function askLater(options: HttpScreenerOptions, address: Address): Promise<boolean> {
  const { url, apiKey, timeoutMs, spreadMs, clock, random } = options
  if (spreadMs > 0) await clock.sleep(random.below(spreadMs))
  const answer = await askApart({
    service: SERVICE,
    url: `${url.replace(/\/+$/, '')}/api/v1/address/${address}`,
    headers: {
      Accept: 'application/json',
      ...(apiKey === undefined ? {} : { 'X-API-Key': await apiKey() }),
    },
    timeoutMs,
  })
  if (answer.status !== 200) throw new RemoteError(SERVICE, answer.status)
  return parseAnswer(SERVICE, Answer, answer.text).identifications.length > 0
}
