import type { QuoteRequest } from '@sotto/contract'
import type { Address } from '@sotto/protocol'
import type { SeededRandom } from '../time/seeded-random.ts'
import type { Api } from './api.ts'
import type { Stage } from './stage.ts'

/** The possible behaviours of a customer during and after the order. */
export const MANNERS = [
  'honest',
  'abandons',
  'late',
  'refreshes',
  'retries',
  'holds_ticket',
  'hunts_option',
] as const
export type Manner = (typeof MANNERS)[number]

/** Someone who places an order and pays its deposit. */
export interface Client {
  readonly stage: Stage
  readonly api: Api
  readonly name: string
  readonly random: SeededRandom
  readonly manner: Manner
  readonly sender: Address
  readonly request: QuoteRequest
  /** True if the order may stay open for days. */
  readonly isStuck: boolean
}
