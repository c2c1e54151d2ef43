import { toDecimal } from '../../amounts/decimal.ts'
import type { Entry } from '../ledger/entry.ts'
import type { PaidAsset } from '../paid-asset.ts'

/** A payment in the format of a tool's result. */
export function paymentOf(key: string, entry: Entry, { name, decimals }: PaidAsset) {
  const { state, to, amount, paid, changedAtMs } = entry
  return {
    ...{ key, state, to },
    asset: name,
    amount: toDecimal(amount, decimals),
    fee: paid === null ? null : toDecimal(paid.fee, decimals),
    trackingId: paid?.trackingId ?? null,
    signature: paid?.signature ?? null,
    changedAt: new Date(changedAtMs).toISOString(),
  }
}

const STATES: Readonly<Record<Entry['state'], string>> = {
  asked: 'waits for a person to confirm it; nothing is paid yet',
  declined: 'was declined by a person; nothing was paid',
  sending:
    'is under way; call the tool "status" to see how it ends, and do not pay it under another key',
  paid: 'is paid, proven on the chain',
  unknown:
    'was begun, but nothing shows whether it was paid; a person must check it, and it must not be paid under another key',
  uncertain:
    'may be paid already, because the chain shows an equal payment, so this server never makes this one; a person must check it, and it must not be paid under another key',
  not_paid: 'was not made, and no attempt so far can still make it',
}

/** Describes the payment in one sentence. */
export function sentenceOf(key: string, entry: Entry, asset: PaidAsset): string {
  const amount = `${toDecimal(entry.amount, asset.decimals)} ${asset.name}`
  return `Payment ${key} of ${amount} to ${entry.to} ${STATES[entry.state]}.`
}
