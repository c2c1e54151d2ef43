import type { Lease, ResealedOrder } from './settle-store.ts'

/** What upkeep keeps. */
export interface UpkeepStore {
  /** Stops new orders durably; the first reason stays until an operator clears it. */
  readonly halt: (reason: string) => Promise<void>
  /**
   * The newest final hour of the orders that an epoch's key seals, in milliseconds; `open` while one
   * isn't final. An order that was sealed anew counts for the epoch that seals it now.
   */
  readonly readEpochEnd: (epoch: number) => Promise<number | 'open' | 'empty'>
  /** True where the chain has a note of an order that isn't here: orders were lost. */
  readonly hasStrangeLeaf: () => Promise<boolean>
  /**
   * Moves an order without a live attempt under another epoch's key, in one transaction; its status
   * stays. The stored answer goes, and with it the replay of the first request.
   */
  readonly tryReseal: (lease: Lease, resealed: ResealedOrder, nowMs: number) => Promise<boolean>
  /**
   * Clears everything sealed under an epoch and gives its orders their final status and one final
   * hour for all. Must come before the key's destruction, which it needs.
   */
  readonly clearEpoch: (epoch: number) => Promise<void>
  /** Drops the delivery's side of orders that were final before a time, in milliseconds. */
  readonly dropSettled: (beforeMs: number) => Promise<void>
}
