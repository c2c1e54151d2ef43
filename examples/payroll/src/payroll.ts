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
  /** The store of this month's balance. Back it up, because it contains the balance's secret. */
  readonly store: BalanceStore
}

/** A quote is accepted if its fee is at most a fiftieth (1 / FEE_SHARE) of the amount that leaves the balance. */
const FEE_SHARE = 50n

const approve: OpenBalanceOptions['approve'] = ({ quote }) =>
  BigInt(quote.fee) * FEE_SHARE <= BigInt(quote.amountIn)

/**
 * Pays in with one signature of the wallet. Do this hours before pay day: if a payment follows soon after the top-up,
 * the payment's time shows that it belongs to the top-up. After a crash, call this again: the deposit is made only
 * once.
 *
 * @throws Error if the store's balance is closed, empty or ended. Each balance needs a store of its own.
 */
export async function topUp(
  payer: Payer,
  signer: NonNullable<OpenBalanceOptions['signer']>,
  terms: NonNullable<OpenBalanceOptions['topUp']>,
): Promise<Balance> {
  const balance = await openBalance({ ...payer, approve, signer, topUp: terms })
  const { status } = await balance.state()
  if (status === 'open') return balance
  throw new Error(`this balance is ${status}, and nothing was paid in: use another store`)
}

/** A list, and a function that is called as soon as a line is paid, for example to mark the line in a database. */
export interface Salaries {
  readonly list: PaymentList
  readonly onPaid: (line: number, paid: PaidPayment) => void
}

/**
 * Pays every line of the list once, without the wallet. After a crash or an error, call it again with the same list: it
 * reports the lines that are already paid, and doesn't pay them again.
 */
export async function paySalaries(
  payer: Payer,
  { list, onPaid }: Salaries,
): Promise<readonly PaidPayment[]> {
  const balance = await openBalance({ ...payer, approve })
  return balance.sendAll(list, ({ line, paid }) => onPaid(line, paid))
}

/** Pays the rest to the wallet now. Without this call, the rest returns free of charge when the balance ends. */
export async function takeBack(payer: Payer): Promise<PaidPayment> {
  const balance = await openBalance({ ...payer, approve })
  return balance.close()
}
