import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { toDecimal } from '../../amounts/decimal.ts'
import { showCoins } from '../../balances/balance-asset.ts'
import { fieldsTable } from '../../output/table.ts'

const PRIVACY =
  'everyone sees that this wallet deposits this amount. The chain does not show which payments come out of the ' +
  'balance, but the time of a payment within about an hour after the top-up points to the top-up. A rest that returns at the end shows everyone how much was sent in total'

/** Describes what happens to the rest when the balance ends. */
export const showReturn = (isReturned: boolean | null, name: string): string => {
  const byHand = `sotto recover refund ${name}`
  if (isReturned === true) return 'returned to the wallet by the service, free of charge'
  const within = 'within 30 days after the end, or it is lost'
  if (isReturned === false) return `not returned by the service: run "${byHand}" ${within}`
  return `returned by the service; if you chose --no-return, run "${byHand}" ${within}`
}

export interface TopUpToShow {
  readonly name: string
  readonly file: string
  readonly days: number | null
  readonly isReturned: boolean | null
}

/** Shows a top-up to the person who decides. */
export function showTopUp(
  { quote, senderMustHold }: QuoteResponse,
  asset: Token,
  { name, file, days, isReturned }: TopUpToShow,
): string {
  const { partnerFee } = quote.feeBreakdown
  return fieldsTable([
    ['wallet pays', showCoins(quote.amountIn, asset)],
    ['partner share', partnerFee === '0' ? undefined : showCoins(partnerFee, asset)],
    ['balance gets', showCoins(quote.amountOut, asset)],
    [
      'lifetime',
      days === null ? undefined : `${days} days, and after each payment ${days} days again`,
    ],
    ['rest at the end', showReturn(isReturned, name)],
    ['privacy', PRIVACY],
    ['secret in', `${file}: anyone who has a copy of it, or of the ticket, can spend the balance`],
    [
      'wallet must hold',
      `${toDecimal(senderMustHold.native, 9)} SOL (part of it is rent that comes back)`,
    ],
    ['mint', asset.assetId],
    ['valid until', quote.expiresAt],
  ])
}

/** Shows an opened balance. */
export function showOpened(
  shown: {
    readonly balance: string
    readonly senderAddress: string
    readonly endsAt: string
    readonly autoReturn: boolean | null
    readonly file: string
    readonly ticket: string
  },
  left: string,
): string {
  return fieldsTable([
    ['balance', shown.balance],
    ['value', left],
    ['ends', shown.endsAt],
    ['rest at the end', showReturn(shown.autoReturn, shown.balance)],
    ['returns to', shown.senderAddress],
    ['secret in', shown.file],
    ['ticket in', shown.ticket],
    ['backup', 'copy the ticket elsewhere; it is as secret as the money'],
    ['next', `sotto balance send ${shown.balance} <amount> <recipient> --wait`],
  ])
}
