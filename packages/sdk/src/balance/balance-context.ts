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
import type { PaymentOrderTerms } from './payment-order.ts'

/** The service, or the partner's own server in front of it: a browser has no API key. */
export interface BalanceService extends TransferService {
  readonly orderPayment: (terms: PaymentOrderTerms, options?: CallOptions) => Promise<PaymentOrder>
  /** The same signature may be handed over any number of times. */
  readonly signPayment: (
    trackingId: string,
    signed: SignatureRequest,
    options?: CallOptions,
  ) => Promise<OrderStatusRecord>
}

/** The part that finds a balance's note and what became of it. */
export interface ChainContext {
  /** A node that the owner chose: it proves what was paid. */
  readonly rpc: RecoveryRpc
  readonly programId: Address
  /** Leaves that the tree no longer shows; they need no trust. */
  readonly leaves: readonly LeafSource[]
}

export interface BalanceContext extends ChainContext {
  readonly service: BalanceService
  readonly approve: (quoted: QuoteResponse) => boolean | Promise<boolean>
  readonly pollMs: number
  readonly host: Host
  readonly signal: AbortSignal | undefined
}

/** The signal as call options, if there is one. */
export const optionsOf = ({ signal }: BalanceContext): CallOptions =>
  signal === undefined ? {} : { signal }
