import {
  openBalance,
  type Balance,
  type BalanceStore,
  type OpenBalanceOptions,
  type PaidPayment,
  type PaymentList,
} from '@sotto/sdk/balance'

/** What the payer's backend knows once and for all. */
export interface Payer extends Pick<
  OpenBalanceOptions,
  'service' | 'rpc' | 'programId' | 'acceptedPrograms' | 'isLocalChain' | 'pollMs'
> {
  /** Of this month's balance; back it up, because it holds the balance's secret. */
  readonly store: BalanceStore
}

/** A payment costs at most one part in fifty of what the balance pays for it. */
const FEE_SHARE = 50n

const approve: OpenBalanceOptions['approve'] = ({ quote }) =>
  BigInt(quote.fee) * FEE_SHARE <= BigInt(quote.amountIn)

/**
 * Pays in, with one signature of the wallet. Do this hours before pay day: a payment right after its top-up can be linked
 * to it by the time. Call it again after a crash: the deposit is made once.
 */
export async function topUp(
  payer: Payer,
  signer: NonNullable<OpenBalanceOptions['signer']>,
  terms: NonNullable<OpenBalanceOptions['topUp']>,
): Promise<Balance> {
  return openBalance({ ...payer, approve, signer, topUp: terms })
}

/** A list, and what to do about a line as soon as it is paid, such as marking it in a database. */
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

/** Pays the rest back to the wallet. Without it the rest returns when the balance ends, free of charge. */
export async function takeBack(payer: Payer): Promise<PaidPayment> {
  const balance = await openBalance({ ...payer, approve })
  return balance.close()
}
