import type { PriceStep } from '@sotto/protocol'
import type { SignedSettlement } from '../../ports/settlement-chain.ts'
import type { Lease, LiveAttempt, PayStore } from '../../ports/settlement-store.ts'
import type { AttemptKind } from '../../domain/order-state.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'

/** The content of an attempt's sealed column. */
interface AttemptRecord {
  readonly signature: string
  readonly wire: string
  readonly lastValidBlockHeight: string
  readonly nullifier: string
  readonly relayer: string
  /** Missing in records that earlier versions of the service wrote. */
  readonly step?: PriceStep
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Stores the signed transaction before it is sent. So after a crash, the journal shows which transactions may still
 * land (invariant I7). Returns false if the order's status has changed or another worker holds the order's lease. Then
 * the transaction must not be sent.
 */
export async function journalAttempt(
  d: { readonly store: PayStore },
  opened: OpenedOrder,
  lease: Lease,
  attempt: {
    readonly kind: AttemptKind
    readonly signed: SignedSettlement
    readonly relayer: string
    /** The price step that the transaction offers. */
    readonly step: PriceStep
    /** True for a refund that is only tried. Then the order keeps its status: see `isRefundTried` of `DeliveryPlan`. */
    readonly isTrial?: boolean
  },
): Promise<boolean> {
  const { signed, kind, relayer, step, isTrial = false } = attempt
  const record: AttemptRecord = {
    signature: signed.signature,
    wire: Buffer.from(signed.wire).toString('base64'),
    lastValidBlockHeight: signed.lastValidBlockHeight.toString(),
    nullifier: opened.nullifier.toString(16),
    relayer,
    step,
  }
  const clear = encoder.encode(JSON.stringify(record))
  const sealed = opened.secrets.seal(opened.order.orderId, 'attempt', clear)
  return d.store.tryJournal(lease, { kind, sealed, isTrial })
}

/** Decrypts a journalled attempt. @throws Error if it can't be opened. */
export function readAttempt(
  opened: OpenedOrder,
  attempt: LiveAttempt,
): SignedSettlement & { readonly relayer: string; readonly step: PriceStep | undefined } {
  const clear = opened.secrets.open(opened.order.orderId, 'attempt', attempt.sealed)
  const record = JSON.parse(decoder.decode(clear)) as AttemptRecord
  return {
    signature: record.signature,
    wire: new Uint8Array(Buffer.from(record.wire, 'base64')),
    lastValidBlockHeight: BigInt(record.lastValidBlockHeight),
    relayer: record.relayer,
    step: record.step,
  }
}

/** Returns the order's live attempt. Returns undefined if there is none, or if its record can't be opened. */
export function liveAttemptOf(
  log: SettlementLog,
  opened: OpenedOrder,
): ReturnType<typeof readAttempt> | undefined {
  const { attempt } = opened.order
  if (attempt === undefined) return undefined
  try {
    return readAttempt(opened, attempt)
  } catch (error) {
    log.failed('read_attempt', error)
    return undefined
  }
}
