import { NATIVE_MINT, showRate, parseAmount } from '@sotto/protocol'
import type { AskedCrowd, QuoteRequest, QuoteResponse, Token } from '@sotto/sdk/server'
import { toDecimal } from '../amounts/decimal.ts'
import { showSuggestions } from './show-suggestions.ts'
import { fieldsTable } from './table.ts'

/** Sender, recipient, the requested crowd and delays, and the minimum that must arrive. */
export interface QuotedTransfer extends Pick<
  QuoteRequest,
  'senderAddress' | 'recipientAddress' | keyof AskedCrowd
> {
  /** Base units of the destination asset. Set for a swap before it is signed. */
  readonly minOut?: string | undefined
}

/** Describes a quote for the person who decides. The text contains the mints, because anyone can choose any symbol. */
export async function showQuote(
  quoted: QuoteResponse,
  source: Token,
  destination: Token,
  transfer: QuotedTransfer,
): Promise<string> {
  const { senderAddress, recipientAddress, minOut } = transfer
  const { privacyInWords } = await import('@sotto/sdk/server')
  const { quote, senderMustHold } = quoted
  const { hiding, verdict, reason, delay, amounts } = privacyInWords(quoted, transfer)
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
  const helps = [
    ...(hiding === 'large' || isSwap ? [] : [BALANCE]),
    ...showSuggestions(amounts, {
      paid: isSwap || quote.mode === 'exact_in' ? paid : undefined,
      arriving,
    }),
    ...(delay === undefined ? [] : [delay]),
  ]
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
    ['waits for', crowdText(transfer)],
    ['who can link it', `anyone who reads the public blockchain: ${verdict}. ${reason}`],
    ['', 'this service: yes. It delivers the payment, so it knows who pays whom.'],
    ...helps.map((text, index) => [index === 0 ? 'what helps' : '', text] as const),
    [
      'sender must hold',
      `${toDecimal(senderMustHold.native, 9)} SOL (part of it is rent that comes back)` +
        (source.assetId === NATIVE_MINT ? '' : `, and ${paid(senderMustHold.source)}`),
    ],
    ['source mint', source.assetId],
    ['destination mint', isSwap ? destination.assetId : undefined],
    ['valid until', quote.expiresAt],
  ])
}

const BALANCE =
  'Send it from a balance. A balance is your money in a program on the blockchain. You pay in once, wait until the time of a payment no longer points to you, and then send parts of it. The part that you don’t send comes back to your wallet. Everyone sees the payments, but not whose balance they come from. Start with "sotto balance open".'

function crowdText({ minCrowd, crowdMissed }: QuotedTransfer): string | undefined {
  if (minCrowd === undefined) return undefined
  const end = crowdMissed === 'deliver' ? 'it is delivered anyway' : 'all of the money comes back'
  return `${minCrowd} wallets that could have paid; if there are too few in time, ${end}`
}

const MINUTE = 60

/** A duration as text: in seconds up to two minutes, and above that in whole minutes, rounded up. */
const showDuration = (seconds: number): string =>
  seconds < 2 * MINUTE ? `${seconds} s` : `${Math.ceil(seconds / MINUTE)} minutes`
