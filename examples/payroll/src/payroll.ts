import {
  openBalance,
  type Balance,
  type BalanceStore,
  type OpenBalanceOptions,
  type PaidPayment,
  type PaymentList,
} from '@sotto/sdk/balance'

/** The settings of the payer's backend. */
export interface Payer extends Pick<
  OpenBalanceOptions,
  'service' | 'rpc' | 'programId' | 'acceptedPrograms' | 'isLocalChain' | 'pollMs'
> {
  /** The file of this month's balance. Back it up, because it contains the balance's secret. */
  readonly store: BalanceStore
}

/** A quote is accepted if its fee is at most a fiftieth of the amount that leaves the balance. */
const FEE_SHARE = 50n

const approve: OpenBalanceOptions['approve'] = ({ quote }) =>
  BigInt(quote.fee) * FEE_SHARE <= BigInt(quote.amountIn)

/**
 * Pays in, with one signature of the wallet. Do this hours before pay day, because the time of a payment soon after the
 * top-up shows that the two belong together. After a crash, call it again: the deposit is made only once.
 */
export async function topUp(
  payer: Payer,
  signer: NonNullable<OpenBalanceOptions['signer']>,
  terms: NonNullable<OpenBalanceOptions['topUp']>,
): Promise<Balance> {
  return openBalance({ ...payer, approve, signer, topUp: terms })
}

/** A list, and the function that is called as soon as a line is paid, for example to mark it in a database. */
export interface Salaries {
  readonly list: PaymentList
  readonly onPaid: (line: number, paid: PaidPayment) => void
}

/**
 * Pays every line of the list once. It needs no wallet. Call it again with the same list after a crash or an error: paid
 * lines are only reported again.
 */
export async function paySalaries(
  payer: Payer,
  { list, onPaid }: Salaries,
): Promise<readonly PaidPayment[]> {
  const balance = await openBalance({ ...payer, approve })
  return balance.sendAll(list, ({ line, paid }) => onPaid(line, paid))
}

/** Pays the rest back to the wallet. Without this call, the rest returns free of charge when the balance ends. */
export async function takeBack(payer: Payer): Promise<PaidPayment> {
  const balance = await openBalance({ ...payer, approve })
  return balance.close()
}
