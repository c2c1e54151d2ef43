import type { Address } from '@sotto/protocol'
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
  /** How far the worker's clock is ahead, so that keys are old enough to be destroyed. */
  readonly aheadMs: number
}

/** A proof that the worker requests from its parent, which runs a prover; and the answer. */
export interface ProofRequest {
  readonly id: number
  readonly witness: string
}
export interface ProofAnswer {
  readonly id: number
  readonly proof: string
}

/** Converts a witness to text, because messages between processes can't contain bigints. */
export const toText = (witness: unknown): string =>
  JSON.stringify(witness, (_key, value: unknown) =>
    typeof value === 'bigint' ? { bigint: value.toString() } : value,
  )
export const fromText = (text: string): never =>
  JSON.parse(text, (_key, value: unknown) => {
    const isBigint = typeof value === 'object' && value !== null && 'bigint' in value
    return isBigint ? BigInt(String(value.bigint)) : value
  }) as never
