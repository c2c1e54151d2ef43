/** An allowance of orders for each account or network. A used-up allowance refills evenly over time. */
export interface Allowance {
  /** Takes one order, or `count` units, from the allowance with this name. If less is left, `take` takes nothing. */
  readonly take: (
    name: string,
    count?: number,
  ) => {
    readonly isAllowed: boolean
    /** Whole seconds until the next order is allowed; 0 if this order is allowed. */
    readonly retryAfterSeconds: number
  }
  /** Puts back what an allowed `take` has taken. */
  readonly giveBack: (name: string, count?: number) => void
}

/** Puts back into the allowances what an order has taken. Called only if the order wasn't created, and only once. */
export type GiveBack = () => void
