/** What upkeep keeps. */
export interface UpkeepStore {
  /** Stops new orders durably; the first reason stays until an operator clears it. */
  readonly halt: (reason: string) => Promise<void>
  /** The newest final hour of an epoch's orders, in milliseconds; `open` while one isn't final. */
  readonly readEpochEnd: (epoch: number) => Promise<number | 'open' | 'empty'>
  /** True where the chain has a note of an order that isn't here: orders were lost. */
  readonly hasStrangeLeaf: () => Promise<boolean>
  /** Clears everything sealed under an epoch. */
  readonly clearEpoch: (epoch: number) => Promise<void>
}
