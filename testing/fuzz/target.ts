import type { Sender } from './fuzz-request.ts'

/** A service to fuzz, and the data that partners have. */
export interface FuzzTarget {
  readonly baseUrl: string
  readonly keys: Readonly<Record<Exclude<Sender, 'none'>, string>>
  /** Keys that are no longer valid, and a key that was never valid. */
  readonly badKeys: readonly string[]
  readonly assets: readonly string[]
  readonly senders: readonly string[]
  readonly recipients: readonly string[]
  /** The partner's wallet, which may receive the partner's share of a transfer. */
  readonly partner: string
  /** Well-formed addresses that the service refuses as wallets. */
  readonly unpayable: readonly string[]
}
