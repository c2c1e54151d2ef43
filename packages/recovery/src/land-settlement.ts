import type { PriceStep } from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import { isPlausible } from './chain-time.ts'
import { LandingError } from './landing-error.ts'
import type { Landing } from './landing.ts'
import { againstLastingRoot } from './lasting-root.ts'
import { ceilingOf } from './priority-fee.ts'
import { RecoveryError } from './recovery-error.ts'
import { signSettlement, type ProvedSettlement, type SignedSettlement } from './send-settlement.ts'
import { readFinalEnd, type FinalEnd } from './settlement-end.ts'
import type { TicketUse } from './ticket-use.ts'
import { feeOf, sendUntilKnown, unknownEnd, untilFinal, watched } from './watch-settlement.ts'

/** A settlement with its proof, and the result that the caller gets once it has landed. */
export interface PreparedSettlement<Result> {
  readonly settlement: ProvedSettlement
  readonly resultOf: (signature: Signature) => Result
}

/** The settlements that a call has sent, by their signatures. */
export type OwnSettlements<Result> = ReadonlyMap<string, OwnSettlement<Result>>

interface OwnSettlement<Result> {
  readonly signed: SignedSettlement
  readonly result: Result
}

/**
 * Prepares, signs and sends settlements until one has landed. The same bytes are sent every few seconds. If they are
 * proven dead, the function prepares another settlement of the same note, with a priority fee at least one step higher.
 * Only one settlement of a note can land, because all of them create the same Nullifier. So if a node reports wrongly
 * that a transaction is dead, the cost is at most the fee of a settlement that fails. If another settlement has spent
 * the note, `prepare` finds that settlement and throws an error that names it.
 *
 * @param prepare finds and proves the settlement. `own` has the call's earlier settlements.
 * @throws LandingError; before the first settlement is sent, also the errors of `prepare`, and afterwards only those
 *   that name what spent the note.
 */
export async function landSettlement<Request extends TicketUse, Result>(
  request: Request,
  prepare: (request: Request, own: OwnSettlements<Result>) => Promise<PreparedSettlement<Result>>,
  landing: Landing = {},
): Promise<Result> {
  const own = new Map<string, OwnSettlement<Result>>()
  const ceiling = ceilingOf(request)
  for (let least: PriceStep = 0; ;) {
    try {
      const { end, signed, result } = await againstLastingRoot(request, async (one) => {
        const { settlement, resultOf } = await prepare(one, own)
        landing.signal?.throwIfAborted()
        const next = await signSettlement(settlement, least)
        const promised = resultOf(next.signature)
        const shown = watched(next, own.size + 1, landing)
        shown.report('signed')
        own.set(next.signature, { signed: next, result: promised })
        return { end: await sendUntilKnown(shown), signed: next, result: promised }
      })
      if (end === 'landed') return result
      if (signed.step < ceiling) {
        least = signed.step + 1
        continue
      }
      const shown = await lastEnd(request, own)
      // Another settlement spent the note. `prepare` finds that settlement and throws an error that names it.
      if (end === 'spent' || shown === 'settled') {
        await againstLastingRoot(request, (one) => prepare(one, own))
      }
      if (shown !== 'dead') throw unknownEnd(lastOf(own))
      throw new LandingError('SETTLEMENT_DEAD', signed, feeOf(signed))
    } catch (error) {
      const known = ownSettlement(error, own)
      if (known === undefined) throw afterSending(error, own, landing)
      await untilFinal(watched(known.signed, own.size, landing))
      return known.result
    }
  }
}

/**
 * The state of the note once all transactions of the call are dead. Until the latest `until`, anyone may still send the
 * proofs of these transactions in another transaction. If the node doesn't answer, or shows an impossible time, the
 * result is `open`.
 */
async function lastEnd<Result>(
  { rpc, isLocalChain }: TicketUse,
  own: OwnSettlements<Result>,
): Promise<FinalEnd['kind']> {
  const end = await readFinalEnd(rpc, lastOf(own)).catch(() => undefined)
  if (end === undefined) return 'open'
  return end.kind === 'dead' && !isPlausible(end.clock, isLocalChain) ? 'open' : end.kind
}

/** From a call's settlements, the one whose proof can land for the longest time. */
function lastOf<Result>(own: OwnSettlements<Result>): SignedSettlement {
  const signed = Array.from(own.values(), (one) => one.signed)
  return signed.reduce((last, one) => (one.until >= last.until ? one : last))
}

/**
 * The call's own settlement if `error` names a transaction that this call sent. Such an error says that this
 * transaction settled the note or made the payment. So a node had reported wrongly that the transaction was dead.
 * Undefined for all other errors.
 */
function ownSettlement<Result>(
  error: unknown,
  own: OwnSettlements<Result>,
): OwnSettlement<Result> | undefined {
  const signature = error instanceof RecoveryError ? error.paid?.signature : undefined
  return signature === undefined ? undefined : own.get(signature)
}

/** Codes of errors that name what spent the note, so that the call's settlements can't land any more. */
const SPENT: ReadonlySet<string> = new Set(['ALREADY_SETTLED', 'PAID_BEFORE'])

/**
 * The error with which a call ends. Once the call has signed a settlement, only a LandingError and the errors in
 * `SPENT` are thrown unchanged. Any other error becomes SETTLEMENT_UNKNOWN, because it doesn't show that the settlement
 * can't land, even if the node says that it refused the settlement.
 */
function afterSending<Result>(
  error: unknown,
  own: OwnSettlements<Result>,
  { signal }: Landing,
): unknown {
  const isEnd =
    error instanceof LandingError || (error instanceof RecoveryError && SPENT.has(error.code))
  if (isEnd || own.size === 0) return error
  return unknownEnd(lastOf(own), signal?.aborted === true ? undefined : error)
}
