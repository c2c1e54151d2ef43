/** An allowance of orders for each account or network. A used-up allowance refills evenly over time. */
export interface Allowance {
  /** Takes one order, or `count` units, from the allowance with this name. If less is left, it takes nothing. */
  readonly take: (
    name: string,
    count?: number,
  ) => {
    readonly isAllowed: boolean
    /** Whole seconds until the next order is allowed; 0 if this order is allowed. */
    readonly retryAfterSeconds: number
  }
  /** Returns what an allowed `take` took. */
  readonly giveBack: (name: string, count?: number) => void
}

/** Returns to the allowances what an order has taken. Called only if the order wasn't created, and only once. */
export type GiveBack = () => void
