import type {
  OrderStatusRecord,
  PaymentOrder,
  QuoteResponse,
  SignatureRequest,
} from '@sotto/contract'
import type { Address } from '@sotto/protocol'
import type { LeafSource, RecoveryRpc } from '@sotto/recovery'
import type { CallOptions } from '../client/call.ts'
import type { Host } from '../host/host.ts'
import type { TransferService } from '../transfer/transfer-context.ts'
import type { Pace } from './pace.ts'
import type { PaymentOrderTerms } from './payment-order.ts'

/**
 * The service. A browser must not have an API key, so in a browser this is the partner's own server, which forwards
 * the calls.
 */
export interface BalanceService extends TransferService {
  readonly orderPayment: (terms: PaymentOrderTerms, options?: CallOptions) => Promise<PaymentOrder>
  /** You may safely send the same signature again. */
  readonly signPayment: (
    trackingId: string,
    signed: SignatureRequest,
    options?: CallOptions,
  ) => Promise<OrderStatusRecord>
}

/** The part of the context that is needed to find a balance's note and the transaction that settled the note. */
export interface ChainContext {
  /** A node that the owner chose. Its answers prove which payments were made. */
  readonly rpc: RecoveryRpc
  readonly programId: Address
  /** Sources of the older leaves that the Tree account no longer contains. The sources need not be trusted. */
  readonly leaves: readonly LeafSource[]
  /** True if the node's chain is a local one, whose clock may differ from this machine's. */
  readonly isLocalChain?: boolean | undefined
}

export interface BalanceContext extends ChainContext {
  readonly service: BalanceService
  readonly approve: (quoted: QuoteResponse) => boolean | Promise<boolean>
  readonly pollMs: number
  /** Records how long this balance's payments take. */
  readonly pace: Pace
  readonly host: Host
  readonly signal: AbortSignal | undefined
}

export const optionsOf = ({ signal }: BalanceContext): CallOptions =>
  signal === undefined ? {} : { signal }
