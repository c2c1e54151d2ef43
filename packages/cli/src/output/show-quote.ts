import { NATIVE_MINT, showRate, parseAmount } from '@sotto/protocol'
import type { QuoteRequest, QuoteResponse, Token } from '@sotto/sdk/server'
import { toDecimal } from '../amounts/decimal.ts'
import { showSuggestions } from './show-suggestions.ts'
import { fieldsTable } from './table.ts'

/** Sender, recipient, and the least that must arrive. */
export interface QuotedTransfer extends Pick<QuoteRequest, 'senderAddress' | 'recipientAddress'> {
  /** Base units of the destination; set for swaps that are about to be signed. */
  readonly minOut?: string | undefined
}

/** A quote for the person who decides. It shows the mints because anyone can choose a symbol. */
export function showQuote(
  quoted: QuoteResponse,
  source: Token,
  destination: Token,
  { senderAddress, recipientAddress, minOut }: QuotedTransfer,
): string {
  const { quote, privacy, linkProbability, waitingHelps, senderMustHold } = quoted
  const paid = (units: string) => `${toDecimal(units, source.decimals)} ${source.symbol}`
  const arriving = (units: string) =>
    `${toDecimal(units, destination.decimals)} ${destination.symbol}`
  const { serviceFee, partnerFee, networkFee } = quote.feeBreakdown
  const isSwap = destination !== source
  const [into, out] = [parseAmount(quote.amountIn), parseAmount(quote.amountOut)]
  const isKnown = into !== undefined && out !== undefined
  const rate = isKnown
    ? showRate({ ...source, amount: into }, { ...destination, amount: out })
    : undefined
  return fieldsTable([
    ['sender', senderAddress],
    ['recipient', recipientAddress],
    ['pays', paid(quote.amountIn)],
    ['arrives', arriving(quote.amountOut)],
    ['at least', isSwap && minOut !== undefined ? arriving(minOut) : undefined],
    ['rate', isSwap && rate !== undefined ? `${rate}, fees included` : undefined],
    ['fee', `${paid(quote.fee)} (service ${paid(serviceFee)}, network ${paid(networkFee)})`],
    ['partner share', partnerFee === '0' ? undefined : paid(partnerFee)],
    ['arrives within', `about ${showDuration(quote.duration)}`],
    [
      'privacy',
      privacy.anonymitySet === 1
        ? 'none to rely on: too few other wallets wait for a delivery of this amount'
        : `one of ${privacy.anonymitySet} wallets that could have made this delivery`,
    ],
    ['chance of a link', linkProbability],
    [
      'waiting',
      waitingHelps === false
        ? 'a longer delay gains nothing: nobody else sends this amount'
        : undefined,
    ],
    ...showSuggestions(quoted, {
      paid: isSwap || quote.mode === 'exact_in' ? paid : undefined,
      arriving,
    }),
    [
      'sender must hold',
      `${toDecimal(senderMustHold.native, 9)} SOL, part of which is rent that comes back` +
        (source.assetId === NATIVE_MINT ? '' : `, and ${paid(senderMustHold.source)}`),
    ],
    ['source mint', source.assetId],
    ['destination mint', isSwap ? destination.assetId : undefined],
    ['valid until', quote.expiresAt],
  ])
}

const MINUTE = 60

/** Seconds up to two minutes, and then whole minutes, rounded up. */
const showDuration = (seconds: number): string =>
  seconds < 2 * MINUTE ? `${seconds} s` : `${Math.ceil(seconds / MINUTE)} minutes`
