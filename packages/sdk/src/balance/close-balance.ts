import { refusalOf } from '../transfer/transfer-context.ts'
import type { BalancePayer } from './balance-payer.ts'
import { ticketWithoutSecret, type PaidPayment, type SavedPayment } from './balance-state.ts'
import { closingKeysIn, closingKey } from './payment-keys.ts'
import { drawResidue } from './residue.ts'
import { unspentNote } from './unspent-note.ts'

/** Maximum number of tries in one run. A run tries again only if the balance's note has changed since the last try. */
const TRIES_MAX = 3

/**
 * Pays the rest to the wallet, except for `kept` base units. First completes an earlier closing payment that may still
 * land. Call this only from work that `inTurn` runs.
 */
export async function closeBalance(
  payer: BalancePayer,
  kept: bigint | undefined,
): Promise<PaidPayment> {
  const { context, record } = payer
  for (let tries = 1; ; tries += 1) {
    const live = newestClosing(payer)?.step === 'signed'
    await payer.settleOthers(undefined)
    const newest = newestClosing(payer)
    const isDone = newest?.step === 'paid' && (live || isEnough(payer, newest, kept))
    if (isDone) return newest.paid
    const { ticket } = await unspentNote(context, record)
    try {
      return await payRest(payer, kept)
    } catch (error) {
      const isSameNote = record.ticket === ticket
      // Try again only if another holder of the secret has spent the note meanwhile, which made the rest smaller.
      if (isSameNote || tries === TRIES_MAX || refusalOf(error)?.code !== 'BALANCE_TOO_SMALL') {
        throw error
      }
    }
  }
}

function newestClosing({ record }: BalancePayer): SavedPayment | undefined {
  const { payments } = record.state
  return payments[closingKeysIn(payments).at(-1) ?? '']
}

/**
 * True if an earlier closing payment is enough: either nothing is left, or the balance hasn't paid since and the
 * payment didn't leave more in the pool than `kept`.
 */
function isEnough({ record }: BalancePayer, made: SavedPayment, kept: bigint | undefined): boolean {
  const { value } = record.ticket.note
  const left = made.request.kept
  const isUnchanged = left === undefined || BigInt(left) === value
  const isRightRest = kept === undefined || kept >= value
  return value === 0n || (isUnchanged && isRightRest)
}

async function payRest(payer: BalancePayer, kept: bigint | undefined): Promise<PaidPayment> {
  const { record } = payer
  const { payments } = record.state
  const keys = closingKeysIn(payments)
  const last = keys.at(-1)
  const former = last === undefined ? undefined : payments[last]
  const isNext = last === undefined || former?.step === 'paid'
  const key = isNext ? closingKey(keys.length + 1) : last
  if (!isNext && former !== undefined) {
    if (isCurrent(payer, former, kept)) return payer.pay(key, former.request)
    // The payment was quoted for another rest, and was never signed, so drop it.
    await record.savePayment(key, undefined)
  }
  const { note } = record.ticket
  const { paidIn = `${note.value}` } = record.state
  // Only the caller may decide to leave nothing, because a service may wrongly refuse every smaller amount.
  const residue = kept ?? drawResidue(BigInt(paidIn), note.value)
  return payer.pay(key, {
    to: note.sender,
    amount: `${note.value - residue}`,
    ...{ mode: 'exact_in', isLast: true, kept: `${residue}` },
  })
}

/**
 * True if a quoted closing payment pays the rest of the balance's newest note, except for the part that stays in the
 * pool.
 */
function isCurrent(
  { record }: BalancePayer,
  former: SavedPayment,
  kept: bigint | undefined,
): boolean {
  if (former.step !== 'quoted' || former.balance !== ticketWithoutSecret(record.ticket))
    return false
  const rest = record.ticket.note.value
  return kept === undefined || former.request.amount === `${rest - kept}`
}
