import type { Token } from '@sotto/sdk/server'
import { showAmount } from '../../../look/amounts.ts'
import type { NewPayment } from '../../model/balance/balance-phase.ts'
import type { BalanceBook } from '../../model/balance/use-balance-book.ts'
import { openToken } from './open-token.ts'

interface Props {
  readonly payment: NewPayment
  readonly tokens: readonly Token[]
  readonly book: BalanceBook
}

/** The amount and the recipient of a payment, as requested. */
export function PaymentLine({ payment: { to, amount, mode }, tokens, book }: Props) {
  const token = openToken(book, tokens)
  const shown = `${showAmount(amount, token?.decimals ?? 0)} ${token?.symbol ?? ''}`
  return (
    <dl class="to">
      <dt class="label">{mode === 'exact_out' ? 'They receive' : 'From your balance'}</dt>
      <dd>
        <strong>{shown}</strong>
      </dd>
      <dt class="label">Recipient</dt>
      <dd class="mono address">{to}</dd>
    </dl>
  )
}
