import {
  DEATHS,
  fateOf,
  priorityLamports,
  SETTLE_COMPUTE_UNITS,
  systemPaceClock,
  unitPriceOf,
  type Amount,
} from '@sotto/protocol'
import { LandingError } from './landing-error.ts'
import type { Landing, LandingStep } from './landing.ts'
import { hasProgramError, programErrors } from './program-errors.ts'
import { isOfLaggingNode, sendAgain, sendFirst, type SignedSettlement } from './send-settlement.ts'
import { readFinalEnd } from './settlement-end.ts'

const NULLIFIER_SPENT = programErrors('NullifierSpent')
const POLL_MS = 500
/** Time after which the same bytes are sent again. */
const RESEND_MS = 3_000
/**
 * Time after which a settlement's outcome counts as unknown. A blockhash is valid for about a minute. The limit is a
 * time and not a number of polls, because each poll may take minutes at a node that refuses requests.
 */
const LANDING_MS = 300_000
/** Time limit of a request. A node that doesn't answer must not prevent the settlement from being sent again. */
const REQUEST_MS = 30_000

export const feeOf = ({ step }: SignedSettlement): Amount =>
  priorityLamports(unitPriceOf(step), BigInt(SETTLE_COMPUTE_UNITS))

/** A signed settlement, and how to wait for it. */
export interface Watched {
  readonly signed: SignedSettlement
  readonly report: (kind: LandingStep['kind']) => void
  readonly nowMs: () => number
  /** Waits until the next poll. @throws LandingError if the call is aborted. */
  readonly untilPoll: () => Promise<void>
  /** A signal for the next request. It aborts at the request's time limit, or when the call is aborted. */
  readonly limit: () => AbortSignal
  readonly endMs: number
}

export function watched(signed: SignedSettlement, attempt: number, landing: Landing): Watched {
  const { onStep, signal, nowMs = systemPaceClock.nowMs, sleep = systemPaceClock.sleep } = landing
  const { signature, nullifier, until } = signed
  const step = { signature, nullifier, until, priorityFeeLamports: feeOf(signed), attempt }
  const endMs = nowMs() + LANDING_MS
  const given = signal === undefined ? [] : [signal]
  return {
    ...{ signed, nowMs, endMs },
    report: (kind) => onStep?.({ kind, ...step }),
    untilPoll: async () => {
      await sleep(POLL_MS, signal)
      if (signal?.aborted === true) throw unknownEnd(signed)
    },
    limit: () => {
      const leftMs = Math.max(0, endMs - nowMs())
      return AbortSignal.any([AbortSignal.timeout(Math.min(REQUEST_MS, leftMs)), ...given])
    },
  }
}

/** `reason` is the error that ended the wait. */
export const unknownEnd = (signed: SignedSettlement, reason?: unknown): LandingError =>
  new LandingError('SETTLEMENT_UNKNOWN', signed, feeOf(signed), reason)

/**
 * Sends the same bytes every few seconds. Stops once the bytes are dead, or once a confirmed block contains them and
 * the note's Nullifier exists at a finalized slot. While the node doesn't answer, the wait goes on, because the
 * settlement may land.
 *
 * @returns `spent` if the settlement failed or was refused because another settlement has spent its note.
 * @throws the node's error if it refuses the settlement before it was ever sent; LandingError.
 */
export async function sendUntilKnown(watch: Watched): Promise<'landed' | 'dead' | 'spent'> {
  try {
    return await sendUntilShown(watch)
  } catch (error) {
    // Anyone who has seen the proof may have landed it first, in another transaction.
    if (hasProgramError(error, NULLIFIER_SPENT)) return 'spent'
    throw error
  }
}

async function sendUntilShown(watch: Watched): Promise<'landed' | 'dead'> {
  const { signed, report, nowMs, untilPoll, limit, endMs } = watch
  let isSent = await trySend(signed, limit())
  let sentAtMs = nowMs()
  let deaths = 0
  while (nowMs() < endMs) {
    await untilPoll()
    // The node may report a false status, and a confirmed block may be rolled back. So the Nullifier must exist too.
    if ((await isConfirmed(signed, limit())) && (await isFinal(watch))) return 'landed'
    if (nowMs() - sentAtMs < RESEND_MS) continue
    const fate = await fateOf(signed.rpc, signed, limit()).catch(() => undefined)
    deaths = fate === 'dead' ? deaths + 1 : 0
    if (deaths >= DEATHS) {
      report('dead')
      return 'dead'
    }
    sentAtMs = nowMs()
    if (fate === 'in_block' || fate === 'dead') continue
    if (isSent) await sendAgain(signed, limit())
    else isSent = await trySend(signed, limit())
    report('sent_again')
  }
  throw unknownEnd(signed)
}

/** True if the note's Nullifier exists at a finalized slot; false if it doesn't, or if the node doesn't answer. */
const isFinal = async ({ signed, limit }: Watched): Promise<boolean> =>
  (await readFinalEnd(signed.rpc, signed, limit()).catch(() => undefined))?.kind === 'settled'

/** Waits until the note's Nullifier exists at a finalized slot. @throws LandingError. */
export async function untilFinal(watch: Watched): Promise<void> {
  while (!(await isFinal(watch))) {
    if (watch.nowMs() >= watch.endMs) throw unknownEnd(watch.signed)
    await watch.untilPoll()
  }
}

/**
 * False if the node lags and can't judge the settlement yet. @throws the node's error if the node refuses the
 * settlement.
 */
async function trySend(signed: SignedSettlement, limit: AbortSignal): Promise<boolean> {
  try {
    await sendFirst(signed, limit)
    return true
  } catch (error) {
    if (isOfLaggingNode(error)) return false
    throw error
  }
}

/** True if a confirmed block contains the settlement. @throws LandingError if the settlement failed in that block. */
async function isConfirmed(signed: SignedSettlement, abortSignal: AbortSignal): Promise<boolean> {
  const found = await signed.rpc
    .getSignatureStatuses([signed.signature], { searchTransactionHistory: true })
    .send({ abortSignal })
    .then(
      ({ value }) => value[0] ?? undefined,
      () => undefined,
    )
  if (found === undefined || found.confirmationStatus === 'processed') return false
  if (found.err === null) return true
  throw new LandingError('SETTLEMENT_FAILED', signed, feeOf(signed), found.err)
}
