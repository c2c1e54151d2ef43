import type { Sender } from './fuzz-request.ts'

/** A service to fuzz, and the data that its partners know. */
export interface FuzzTarget {
  readonly baseUrl: string
  readonly keys: Readonly<Record<Exclude<Sender, 'none'>, string>>
  /** Keys that were once valid, and one that never was. */
  readonly badKeys: readonly string[]
  readonly assets: readonly string[]
  readonly senders: readonly string[]
  readonly recipients: readonly string[]
  /** The wallet that may take a share. */
  readonly partner: string
  /** Well-formed addresses that can't be paid. */
  readonly unpayable: readonly string[]
}
