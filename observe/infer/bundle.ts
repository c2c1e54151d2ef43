/** A deposit, and all settlements that paid out of it. */
export interface Bundle {
  readonly deposit: number
  readonly settlements: readonly number[]
}
