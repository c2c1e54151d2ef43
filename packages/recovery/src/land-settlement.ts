import {
  DEATHS,
  fateOf,
  priorityLamports,
  SETTLE_COMPUTE_UNITS,
  systemPaceClock,
  unitPriceOf,
  type Amount,
  type PriceStep,
} from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import { LandingError } from './landing-error.ts'
import { againstLastingRoot } from './lasting-root.ts'
import { ceilingOf } from './priority-fee.ts'
import { RecoveryError } from './recovery-error.ts'
import {
  isOfLaggingNode,
  sendAgain,
  sendFirst,
  signSettlement,
  type ProvedSettlement,
  type SignedSettlement,
} from './send-settlement.ts'
import type { TicketUse } from './ticket-use.ts'

/** A settlement with its proof, and the result that the caller gets once it has landed. */
export interface PreparedSettlement<Result> {
  readonly settlement: ProvedSettlement
  readonly resultOf: (signature: Signature) => Result
}

/** The settlements that a call has sent, by their signatures. */
export type OwnSettlements<Result> = ReadonlyMap<string, OwnSettlement<Result>>

interface OwnSettlement<Result> {
  readonly nullifier: bigint
  readonly result: Result
}

/** A change in a settlement's landing, for a line of progress. */
export interface LandingStep {
  /**
   * `signed`: it is signed, and is sent next. From then on it may land, however the call ends. `sent_again`: the same
   * bytes were sent again. `dead`: it is proven that it can't land any more.
   */
  readonly kind: 'signed' | 'sent_again' | 'dead'
  readonly signature: Signature
  /** The priority fee that this settlement offers, in lamports. */
  readonly priorityFeeLamports: Amount
  /** Number of the settlement among the call's settlements, counted from 1. */
  readonly attempt: number
}

/** How a call waits for a settlement, and to whom it reports. */
export interface Landing {
  readonly onStep?: ((step: LandingStep) => void) | undefined
  /**
   * Ends the call. Before a settlement is signed, the call then rejects with the signal's reason. After the signing,
   * the call rejects with LandingError SETTLEMENT_UNKNOWN, because the settlement may land.
   */
  readonly signal?: AbortSignal | undefined
  /** Waits for this many milliseconds, or until the signal aborts. The default is the host's timer. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** Milliseconds of a clock that is never set back. The default is the host's monotonic clock. */
  readonly nowMs?: (() => number) | undefined
}

const POLL_MS = 500
/** Time after which the same bytes are sent again. */
const RESEND_MS = 3_000
/**
 * Time after which a settlement's outcome counts as unknown. A blockhash is valid for about a minute. This is a time
 * and not a number of polls, because each poll takes minutes at a node that refuses requests.
 */
const LANDING_MS = 300_000
/** Time limit of a request. A node that doesn't answer must not prevent the settlement from being sent again. */
const REQUEST_MS = 30_000

/**
 * Prepares, signs and sends settlements until one has landed. The same bytes are sent every few seconds. If they are
 * proven dead, the function prepares another settlement of the same note, with a priority fee at least one step higher.
 * Only one settlement of a note can land, because all of them create the same Nullifier. So a wrong proof costs at most
 * the fee of a settlement that fails.
 *
 * @param prepare finds and proves the settlement. `own` has the call's earlier settlements.
 * @throws LandingError, and the errors of `prepare`.
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
        own.set(next.signature, {
          nullifier: settlement.inputs.nullifier,
          result: promised,
        })
        const shown = watched(next, own.size, landing)
        return { end: await sendUntilKnown(shown), signed: next, result: promised }
      })
      if (end === 'landed') return result
      if (signed.step >= ceiling) throw new LandingError('SETTLEMENT_DEAD', signed, feeOf(signed))
      least = signed.step + 1
    } catch (error) {
      const known = ownResult(error, own)
      if (known === undefined) throw error
      return known
    }
  }
}

/**
 * The call's own result if `error` names a transaction that this call sent. The error then says that the note is
 * settled, or that the payment was made. So a node had wrongly reported that transaction dead. Undefined for all other
 * errors.
 */
function ownResult<Result>(error: unknown, own: OwnSettlements<Result>): Result | undefined {
  const signature = error instanceof RecoveryError ? error.paid?.signature : undefined
  return signature === undefined ? undefined : own.get(signature)?.result
}

const feeOf = ({ step }: SignedSettlement): Amount =>
  priorityLamports(unitPriceOf(step), BigInt(SETTLE_COMPUTE_UNITS))

interface Watched {
  readonly signed: SignedSettlement
  readonly report: (kind: LandingStep['kind']) => void
  readonly nowMs: () => number
  /** Waits until the next poll. @throws LandingError if the call is aborted. */
  readonly untilPoll: () => Promise<void>
  /** A signal for the next request. It aborts at the request's time limit, or when the call is aborted. */
  readonly limit: () => AbortSignal
  readonly endMs: number
}

function watched(signed: SignedSettlement, attempt: number, landing: Landing): Watched {
  const { onStep, signal, nowMs = systemPaceClock.nowMs, sleep = systemPaceClock.sleep } = landing
  const step = { signature: signed.signature, priorityFeeLamports: feeOf(signed), attempt }
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

const unknownEnd = (signed: SignedSettlement): LandingError =>
  new LandingError('SETTLEMENT_UNKNOWN', signed, feeOf(signed))

/**
 * Sends the same bytes every few seconds until a confirmed block has them, or until they are dead. While the node
 * doesn't answer, the wait goes on, because the settlement may land.
 *
 * @throws the node's error if it refuses the settlement before it was ever sent; LandingError.
 */
async function sendUntilKnown(watch: Watched): Promise<'landed' | 'dead'> {
  const { signed, report, nowMs, untilPoll, limit, endMs } = watch
  report('signed')
  let isSent = await trySend(signed, limit())
  let sentAtMs = nowMs()
  let deaths = 0
  while (nowMs() < endMs) {
    await untilPoll()
    if (await isConfirmed(signed, limit())) return 'landed'
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

/** True if a confirmed block has the settlement. @throws LandingError if it failed there. */
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
