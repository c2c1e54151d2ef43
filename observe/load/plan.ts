/** An asset of the load. */
export type Token = 'SOL' | 'USDC'
export type AmountKind = 'round' | 'odd' | 'swap'
/** The way in which a payment is made. `Mix` describes each way. */
export type Way = TransferWay | 'balance' | 'payroll' | NewBalanceWay
/** The ways to make a transfer. */
export type TransferWay = 'transfer' | 'patient' | 'crowd'
/** The ways to pay out of a new balance that was topped up for the payment. */
export type NewBalanceWay = 'fresh' | 'waiting'

interface Timed {
  /** Seconds from the start of the load. */
  readonly atSeconds: number
}

export interface PlannedTransfer extends Timed {
  readonly kind: 'transfer'
  readonly way: TransferWay
  readonly amountKind: AmountKind
  readonly wallet: number
  readonly payee: number
  readonly source: Token
  readonly destination: Token
  /** The amount in base units: of the output if `isExactOut` is true, otherwise of the input. */
  readonly amount: bigint
  readonly isExactOut: boolean
  /** The partner's share in basis points; 0 if there is no partner. */
  readonly partnerBps: number
  /** The delays that the transfer asks for, in seconds; undefined for the default delays. */
  readonly delays?: PlannedDelays | undefined
  /** The crowd that the transfer waits for; undefined if the transfer waits for none. */
  readonly crowd?: PlannedCrowd | undefined
}

export interface PlannedDelays {
  readonly minDelaySeconds: number
  readonly maxDelaySeconds: number
}

/** A crowd that a transfer asks for. */
export interface PlannedCrowd {
  readonly min: number
  readonly missed: 'refund' | 'deliver'
}

export interface PlannedTopUp extends Timed {
  readonly kind: 'topUp'
  /** The number with which payments refer to the balance. */
  readonly balance: number
  readonly wallet: number
  readonly token: Token
  readonly amount: bigint
  readonly lifeSeconds: number
  /** True if the balance's owner takes the rest back after the last payment. */
  readonly isClosed: boolean
}

export interface PlannedPayment extends Timed {
  readonly kind: 'payment'
  readonly way: 'balance' | 'payroll' | NewBalanceWay
  readonly amountKind: 'round' | 'odd'
  readonly balance: number
  readonly payee: number
  /** The amount that the payee gets, in base units. */
  readonly payout: bigint
}

export type PlannedStep = PlannedTransfer | PlannedTopUp | PlannedPayment

/** A load: its steps, ordered by time. Wallets, payees and balances are identified by numbers. */
export interface Plan {
  readonly steps: readonly PlannedStep[]
  readonly wallets: number
  readonly payees: number
}
