import type { Address } from '@sotto/protocol'
import { z } from 'zod'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Prices, Rate } from '../../ports/prices.ts'
import { askRemote } from '../remote/ask-remote.ts'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { SecretSource } from '../remote/secret-source.ts'
import { isAtMost } from './decimal-text.ts'

export interface JupiterOptions {
  readonly url: string
  readonly apiKey: SecretSource | undefined
  readonly decimalsOf: (mint: Address) => Promise<number>
  /** The cluster's slot, from which a quote's age is calculated. */
  readonly readSlot: () => Promise<bigint>
  readonly impactBps: number
  readonly clock: Clock
}

const SERVICE = 'jupiter'
const TIMEOUT_MS = 3_000
/** The minimum length of a slot. */
const SLOT_MS = 400
/**
 * Minimum output of a usable quote, in base units. With a smaller output, rounding could change the rate by more than a
 * millionth.
 */
const PRECISE = 1_000_000n
/** Output from which a probe is larger than a rate needs. A probe that an odd answer has raised is then forgotten. */
const AMPLE = PRECISE * 100n
const PROBE_MAX = 10n ** 18n
const PROBES_MAX = 4

const digits = z.string().regex(/^[0-9]{1,20}$/)
const Answer = z.object({
  inputMint: z.string(),
  inAmount: digits,
  outputMint: z.string(),
  outAmount: digits,
  swapMode: z.literal('ExactIn'),
  priceImpactPct: z.string(),
  contextSlot: z.int().positive(),
})
type Quote = z.infer<typeof Answer>

/**
 * Reads rates from Jupiter's quotes. It requests quotes for round amounts, so Jupiter never learns the amount of a
 * transfer. A rate is the proceeds of selling the source asset, after the markets' own fees. The rate is undefined if
 * there is no route, or if the sale would move the price too far.
 */
export function openJupiterPrices(options: JupiterOptions): Prices {
  // The probes that were larger than one whole coin.
  const probes = new Map<string, bigint>()
  return {
    readRate: async (source, destination) => {
      const pair = `${source} ${destination}`
      const probe = probes.get(pair) ?? 10n ** BigInt(await options.decimalsOf(source))
      const quote = await readPrecise(options, source, destination, probe)
      const rate = quote && (await rateOf(options, quote))
      // A probe that gives no rate must not be kept: after one odd answer, the pair would have no rate until a restart.
      if (rate === undefined || rate.numerator >= AMPLE) probes.delete(pair)
      else probes.set(pair, rate.denominator)
      return rate
    },
  }
}

/** Reads quotes for larger and larger amounts, up to a quote whose output is precise. */
async function readPrecise(
  options: JupiterOptions,
  source: Address,
  destination: Address,
  first: bigint,
): Promise<Quote | undefined> {
  let probe = first
  for (let asked = 0; asked < PROBES_MAX; asked += 1) {
    const quote = await readQuote(options, source, destination, probe)
    if (quote === undefined) return undefined
    const out = BigInt(quote.outAmount)
    if (out >= PRECISE) return quote
    const more = 10n ** BigInt(`${(PRECISE * 10n) / (out === 0n ? 1n : out)}`.length - 1)
    probe = probe * more > PROBE_MAX ? PROBE_MAX : probe * more
  }
  return undefined
}

async function readQuote(
  { url, apiKey }: JupiterOptions,
  inputMint: Address,
  outputMint: Address,
  units: bigint,
): Promise<Quote | undefined> {
  const query = new URLSearchParams({
    ...{ inputMint, outputMint, amount: `${units}`, slippageBps: '50', swapMode: 'ExactIn' },
  })
  const answer = await askRemote({
    service: SERVICE,
    url: `${url.replace(/\/+$/, '')}/swap/v1/quote?${query}`,
    headers: apiKey === undefined ? {} : { 'x-api-key': await apiKey() },
    timeoutMs: TIMEOUT_MS,
  })
  // Jupiter answers with status 400 if there is no route or the token is unknown.
  if (answer.status === 400) return undefined
  if (answer.status !== 200) throw new RemoteError(SERVICE, answer.status)
  const quote = parseAnswer(SERVICE, Answer, answer.text)
  const isAsked =
    quote.inputMint === inputMint &&
    quote.outputMint === outputMint &&
    BigInt(quote.inAmount) === units
  if (!isAsked) throw new RemoteError(SERVICE, 'another_question')
  return quote
}

async function rateOf(
  { impactBps, clock, readSlot }: JupiterOptions,
  { inAmount, outAmount, priceImpactPct, contextSlot }: Quote,
): Promise<Rate | undefined> {
  // Despite its name, `priceImpactPct` is a fraction of one, not a percentage. If Jupiter changed it to a percentage,
  // more quotes would be refused, but no wrong quote would be accepted.
  if (!isAtMost(priceImpactPct, BigInt(impactBps), 4)) return undefined
  // If the quote's slot is later than the node's slot, the date lies in the future. `isFresh` limits this time.
  const olderSlots = wholeNumber(await readSlot()) - contextSlot
  return {
    numerator: BigInt(outAmount),
    denominator: BigInt(inAmount),
    asOfMs: clock.nowMs() - olderSlots * SLOT_MS,
  }
}
