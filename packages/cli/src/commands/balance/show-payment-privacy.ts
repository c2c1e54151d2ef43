import type { GivenAwayBy } from '@sotto/sdk/balance'
import type { QuoteResponse } from '@sotto/sdk/server'
import { showCoins, type BalanceAsset } from '../../balances/balance-asset.ts'

/**
 * An amount with at most two digits before its trailing zeros counts as round. Others may send the same round amount.
 */
const ROUND = /^\d{1,2}0*$/

const GUESSED =
  'anyone who reads the public blockchain: only by guessing. They see the recipient, the amount and the time, but not which balance paid. The payer must have paid in at least this much. If few wallets have paid in so much, or if your wallet paid in the most, they can guess that it is you. There is no figure for the chance, because the blockchain doesn’t show what is left in a balance. If your wallet has paid this recipient by a transfer, or soon after a top-up, they guess that you pay again.'
const SOON =
  'anyone who reads the public blockchain: easily. The top-up was a short time ago, and a payment soon after a top-up points to the wallet that paid in.'

const WHOLE =
  'anyone who reads the public blockchain: easily. The payment takes all that was paid in, so the two amounts match.'
const ALL_LEFT =
  'anyone who reads the public blockchain: easily, if the balance has made few payments. The payment takes all that is left, so the payments of this balance add up exactly to what was paid in, and anyone can search for payments with this sum.'
const OWN =
  'anyone who reads the public blockchain: easily. The payment goes to the wallet that paid in.'
const PAID_BEFORE =
  'This recipient was paid through this service before, which everyone can see. If you made one of those payments, each further payment to this recipient makes it easier to find you, even if no single payment is easy to link.'

/** Table rows that say who can link a payment with the balance's wallet, and how to make this harder. */
export function showPaymentPrivacy(
  { quote, suggestions = [], recipientPaidBefore }: QuoteResponse,
  asset: BalanceAsset,
  givenAway: readonly GivenAwayBy[],
): (readonly [string, string])[] {
  const isOwn = givenAway.includes('own_wallet')
  const isSoon = givenAway.includes('time')
  const isWhole = givenAway.includes('amount')
  const isAllLeft = givenAway.includes('sum')
  const rounder = suggestions.map(({ amountOut }) => showCoins(amountOut, asset)).join(', ')
  const helps = [
    ...(isOwn ? ['Send to another wallet.'] : []),
    ...(isSoon
      ? ['Wait: repeat with --wait, which pays at a random time that no one can compute.']
      : []),
    ...(isWhole || isAllLeft ? ['Send less, and leave some money in the balance.'] : []),
    ...(ROUND.test(quote.amountOut)
      ? []
      : [
          `Send a round amount, because an odd amount stands out more${rounder === '' ? '' : `: ${rounder}`}.`,
        ]),
  ]
  const who = isOwn ? OWN : isSoon ? SOON : isWhole ? WHOLE : isAllLeft ? ALL_LEFT : GUESSED
  return [
    ['who can link it', who],
    ...(recipientPaidBefore === true ? [['', PAID_BEFORE] as const] : []),
    ['', 'this service: yes. It makes the payment, so it knows who pays whom.'],
    ['what helps', helps.length > 0 ? helps.join(' ') : DONE],
  ]
}

const DONE =
  'Wait a few more hours, ideally a day, and leave some money in the balance. The amount is round, and the top-up was over an hour ago. How well this hides you depends on the number of other people who have balances: if there are few, anyone can guess that it is you.'
