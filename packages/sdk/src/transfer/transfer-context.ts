import type { QuoteResponse } from '@sotto/contract'
import type { Address } from '@sotto/protocol'
import type {
  GetBlockHeightApi,
  GetGenesisHashApi,
  GetMultipleAccountsApi,
  GetSignaturesForAddressApi,
  GetTransactionApi,
  Rpc,
  SendTransactionApi,
} from '@solana/kit'
import type { SottoClient } from '../../server.ts'
import type { Host } from '../host/host.ts'
import type { OrderSigner } from '../sign/order-signer.ts'
import type { TicketStore } from '../tickets/ticket-store.ts'
import type { AcceptedPrograms } from '../verify/check-program.ts'
import type { VerifiedOrder } from '../verify/verified-order.ts'

/**
 * The service. A browser must not have an API key, so in a browser this is the partner's own server, which forwards
 * the calls.
 */
export type TransferService = Pick<
  SottoClient,
  'quote' | 'createOrder' | 'refresh' | 'hintDeposit' | 'status'
>

/**
 * A node that the sender or the partner chose. The SDK trusts its answers. It reads transactions only to prove how the
 * order ended, so a node with a few days of history is enough.
 */
export type TransferRpc = Rpc<
  GetBlockHeightApi &
    GetGenesisHashApi &
    GetMultipleAccountsApi &
    GetSignaturesForAddressApi &
    GetTransactionApi &
    SendTransactionApi
>

export interface TransferContext extends AcceptedPrograms {
  readonly service: TransferService
  readonly rpc: TransferRpc
  readonly programId: Address
  readonly signer: OrderSigner
  readonly tickets: TicketStore
  readonly approve: (quoted: QuoteResponse) => boolean | Promise<boolean>
  readonly inspect: (order: VerifiedOrder) => void | Promise<void>
  readonly priorityFeeMaxLamports: bigint | undefined
  readonly findNote: ((recovery: string) => Promise<bigint | undefined>) | undefined
  readonly pollMs: number
  readonly host: Host
  readonly signal: AbortSignal | undefined
}

/**
 * The `code` and the `retry` of the service's refusal, even if the partner's own server forwarded it. Undefined for any
 * other error.
 */
export function refusalOf(error: unknown): { code: string; retry: string } | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, retry } = error as { code?: unknown; retry?: unknown }
  return typeof code === 'string' && typeof retry === 'string' ? { code, retry } : undefined
}

export const optionsOf = ({ signal }: TransferContext): { signal?: AbortSignal } =>
  signal === undefined ? {} : { signal }
