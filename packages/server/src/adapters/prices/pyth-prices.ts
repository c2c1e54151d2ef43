import type { Address } from '@sotto/protocol'
import { z } from 'zod'
import type { Prices, Rate } from '../../ports/prices.ts'
import { askRemote } from '../remote/ask-remote.ts'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { SecretSource } from '../remote/secret-source.ts'

export interface PythOptions {
  readonly url: string
  readonly apiKey: SecretSource | undefined
  /** The feed id of each mint: 64 hexadecimal digits. */
  readonly feeds: ReadonlyMap<Address, string>
  readonly decimalsOf: (mint: Address) => Promise<number>
  /** Maximum half width of the confidence interval, in hundredths of a percent of the price. */
  readonly confidenceBps: number
}

const SERVICE = 'pyth'
const TIMEOUT_MS = 3_000
const BPS = 10_000n

const Price = z.object({
  price: z.string().regex(/^-?[0-9]{1,20}$/),
  conf: z.string().regex(/^[0-9]{1,20}$/),
  expo: z.int().min(-30).max(30),
  publish_time: z.int(),
})
const Answer = z.object({ parsed: z.array(z.object({ id: z.string(), price: Price })) })

/**
 * The price in dollars of one whole token is `price * 10^expo`. Its confidence interval is `confidence * 10^expo` wide
 * on each side of the price.
 */
interface Dollars {
  readonly price: bigint
  readonly confidence: bigint
  readonly expo: number
  readonly atMs: number
}

/**
 * Reads rates from the dollar prices of Pyth's Hermes, with one request for both assets. The source asset is priced at
 * the lower end of its confidence interval, and the destination asset at the upper end of its interval. So the pool
 * never pays too much. The rate is undefined if a price is too uncertain or an asset has no feed.
 */
export function openPythPrices(options: PythOptions): Prices {
  const { feeds, decimalsOf } = options
  return {
    readRate: async (source, destination) => {
      const ids = [feeds.get(source), feeds.get(destination)]
      const [sourceFeed, destinationFeed] = ids
      if (sourceFeed === undefined || destinationFeed === undefined) return undefined
      const parsed = await readLatest(options, [sourceFeed, destinationFeed])
      const from = usable(options, parsed, sourceFeed)
      const to = usable(options, parsed, destinationFeed)
      if (from === undefined || to === undefined) return undefined
      const decimals = await Promise.all([decimalsOf(source), decimalsOf(destination)])
      return rateOf(from, to, ...decimals)
    },
  }
}

async function readLatest({ url, apiKey }: PythOptions, feeds: readonly string[]) {
  const ids = [...new Set(feeds)].map((id) => `ids[]=${id}`).join('&')
  const answer = await askRemote({
    service: SERVICE,
    url: `${url.replace(/\/+$/, '')}/v2/updates/price/latest?${ids}&parsed=true&encoding=hex`,
    headers: apiKey === undefined ? {} : { Authorization: `Bearer ${await apiKey()}` },
    timeoutMs: TIMEOUT_MS,
  })
  if (answer.status !== 200) throw new RemoteError(SERVICE, answer.status)
  return parseAnswer(SERVICE, Answer, answer.text).parsed
}

function usable(
  { confidenceBps }: PythOptions,
  parsed: z.infer<typeof Answer>['parsed'],
  feed: string,
): Dollars | undefined {
  const found = parsed.find(({ id }) => id.replace(/^0x/, '').toLowerCase() === feed)
  // Hermes must return every requested feed, so a missing feed is an error.
  if (found === undefined) throw new RemoteError(SERVICE, 'missing_feed')
  const price = BigInt(found.price.price)
  const confidence = BigInt(found.price.conf)
  // `confidenceBps` is below 100 %, so the lower end of the interval is above zero.
  if (price <= 0n || confidence * BPS > price * BigInt(confidenceBps)) return undefined
  const { expo, publish_time: atSeconds } = found.price
  return { price, confidence, expo, atMs: atSeconds * 1_000 }
}

/**
 * Returns base units of the destination for one base unit of the source. From each confidence interval, it uses the end
 * at which the pool pays less.
 */
function rateOf(from: Dollars, to: Dollars, fromDecimals: number, toDecimals: number): Rate {
  const power = from.expo - to.expo + toDecimals - fromDecimals
  const scale = 10n ** BigInt(Math.abs(power))
  const [lowest, highest] = [from.price - from.confidence, to.price + to.confidence]
  return {
    numerator: power >= 0 ? lowest * scale : lowest,
    denominator: power >= 0 ? highest : highest * scale,
    asOfMs: Math.min(from.atMs, to.atMs),
  }
}
