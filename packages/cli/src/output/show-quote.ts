import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { toDecimal } from '../amounts/decimal.ts'
import { fieldsTable } from './table.ts'

/** A quote for a person who decides: the mints stand there because anybody can choose a symbol. */
export function showQuote(quoted: QuoteResponse, source: Token, destination: Token): string {
  const { quote, privacy, rate, senderMustHold } = quoted
  const paid = (units: string) => `${toDecimal(units, source.decimals)} ${source.symbol}`
  const { serviceFee, partnerFee, networkFee } = quote.feeBreakdown
  const crowd =
    privacy.anonymitySet === 1
      ? 'nobody: amounts alone link this transfer'
      : `${privacy.anonymitySet} deposits could have made this delivery`
  return fieldsTable([
    ['pays', paid(quote.amountIn)],
    ['arrives', `${toDecimal(quote.amountOut, destination.decimals)} ${destination.symbol}`],
    ['fee', `${paid(quote.fee)} (service ${paid(serviceFee)}, network ${paid(networkFee)})`],
    ['partner share', partnerFee === '0' ? undefined : paid(partnerFee)],
    ['rate', rate],
    ['takes', `about ${quote.duration} s`],
    ['crowd', crowd],
    [
      'sender must hold',
      `${toDecimal(senderMustHold.native, 9)} SOL, rent that comes back included`,
    ],
    ['source mint', source.assetId],
    ['destination mint', destination === source ? undefined : destination.assetId],
    ['valid until', quote.expiresAt],
  ])
}
