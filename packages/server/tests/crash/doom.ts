import type { Address } from '@sotto/protocol'
import type { NewPayment, SignedColumns } from '../../src/ports/order-store.ts'
import type { KillPoint } from './kill-point.ts'

/** The instructions of a worker that will be killed. */
export interface Doom {
  readonly point: KillPoint
  readonly rpcUrl: string
  readonly databaseUrl: string
  readonly keys: string
  readonly relayerFiles: readonly string[]
  readonly program: Address
  readonly tree: Address
  readonly domain: string
  readonly leaseMs: number
  /** Milliseconds by which the worker's clock is ahead, so that keys are old enough to be destroyed. */
  readonly aheadMs: number
}

/** The instructions of a process that orders and signs a payment until it is killed. */
export interface OrderingDoom extends Pick<Doom, 'point' | 'databaseUrl' | 'keys'> {
  readonly payment: NewPayment
  readonly signed: SignedColumns
}

/** A worker's request for a proof. The worker's parent runs the prover, and sends a `ProofAnswer`. */
export interface ProofRequest {
  readonly id: number
  readonly witness: string
}
export interface ProofAnswer {
  readonly id: number
  readonly proof: string
}

/** Converts a value to text, because messages between processes can't contain bigints or bytes. */
export const toText = (sent: unknown): string =>
  JSON.stringify(sent, (_key, value: unknown) => {
    if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
    return typeof value === 'bigint' ? { bigint: value.toString() } : value
  })
export const fromText = (text: string): never =>
  JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if ('base64' in value) return new Uint8Array(Buffer.from(String(value.base64), 'base64'))
    return 'bigint' in value ? BigInt(String(value.bigint)) : value
  }) as never
