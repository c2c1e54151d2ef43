import type { PriceHour } from '../domain/price-hour.ts'

/** Stores the price that all transactions of the service offer for priority. */
export interface PriceStore {
  /** Reads the price; undefined if no price is stored yet. */
  readonly readPrice: () => Promise<PriceHour | undefined>
  /** Replaces the price; false if the stored price isn't `before` any more. */
  readonly tryReplacePrice: (before: PriceHour | undefined, next: PriceHour) => Promise<boolean>
  /** Raises the price to a step. Does nothing if the price is already at least as high. */
  readonly raisePrice: (step: number) => Promise<void>
}
