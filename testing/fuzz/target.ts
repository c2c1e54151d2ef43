import type { Sender } from './fuzz-request.ts'

/** A service to be fuzzed and what a partner of it knows. */
export interface FuzzTarget {
  readonly baseUrl: string
  readonly keys: Readonly<Record<Exclude<Sender, 'none'>, string>>
  /** Keys that were good once, and one that never was. */
  readonly badKeys: readonly string[]
  readonly assets: readonly string[]
  readonly senders: readonly string[]
  readonly recipients: readonly string[]
  /** The wallet that may take a share. */
  readonly partner: string
  /** Addresses that are well formed and that nothing may be paid to. */
  readonly unpayable: readonly string[]
}
