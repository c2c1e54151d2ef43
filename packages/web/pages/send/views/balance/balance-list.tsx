import type { Token } from '@sotto/sdk/server'
import { useState } from 'preact/hooks'
import { showAmount } from '../../../look/amounts.ts'
import { isoOfSeconds, nowSeconds, showDay } from '../../../look/durations.ts'
import { forgetUnpaid, unpaidOrder, type OwnBalance } from '../../model/balance/own-balances.ts'
import { orderIdOf } from '../../model/balance/order-names.ts'
import { paymentInProgress } from '../../model/balance/payment-in-progress.ts'
import { isFromFile } from '../../model/balance/return-words.ts'
import { balanceFileName } from '../../model/ticket-file.ts'
import { ViewHeading } from '../view-heading.tsx'
import type { BalanceProps } from './balance-props.ts'
import { EndingNote } from './ending-note.tsx'
import { HowBalancesWork } from './how-balances-work.tsx'

/** Every balance that this browser can spend, and the two ways to get another balance. */
export function BalanceList(props: BalanceProps) {
  const { book, tokens } = props
  const { balances } = book
  return (
    <div class="card narrow">
      <ViewHeading>Your balances</ViewHeading>
      {balances === undefined ? <p role="status">Reading this browser’s storage…</p> : null}
      {balances?.length === 0 ? (
        <>
          <p>
            This browser has no balance yet. You pay into a balance once with your wallet. Then you
            send parts of it to any address, without your wallet.
          </p>
          <HowBalancesWork />
        </>
      ) : (
        <ul class="balances">
          {balances?.map((one) => (
            <Listed key={one.name} {...props} own={one} tokens={tokens} />
          ))}
        </ul>
      )}
      <div class="row">
        <button
          type="button"
          class="first"
          onClick={() => book.go({ kind: 'new', assetId: undefined })}
        >
          Pay into a new balance
        </button>
        <button type="button" class="second" onClick={() => book.go({ kind: 'file' })}>
          Use a balance file
        </button>
      </div>
    </div>
  )
}

function Listed({ own, ...props }: BalanceProps & { readonly own: OwnBalance }) {
  const { name, stored } = own
  if (stored === undefined) {
    return (
      <li class="listed">
        <p>
          Another version of this page made this balance, and this version can’t read it. Use the
          balance file with the other version.
        </p>
      </li>
    )
  }
  const token = props.tokens.find(({ assetId }) => assetId === stored.assetId)
  const unpaid = unpaidOrder(stored)
  if (unpaid !== undefined) return <Unpaid {...props} {...{ name, token, own }} order={unpaid} />
  if (stored.note === undefined) return <Unfinished {...props} {...{ name, token }} own={own} />
  const { value, endsAt } = stored.note
  const isOver = endsAt <= nowSeconds()
  const amount = `${showAmount(value, token?.decimals ?? 0)} ${token?.symbol ?? 'base units'}`
  const until = showDay(isoOfSeconds(endsAt))
  const payment = paymentInProgress(stored, props.book.busyIn(name))
  return (
    <li class="listed">
      <p>
        <strong class="listed-amount">{amount}</strong>
        <span class="hint">{isOver ? `Ended on ${until}` : `left, until ${until}`}</span>
      </p>
      <button type="button" class="second" onClick={() => props.book.open(name)}>
        Open<span class="visually-hidden">{` the balance with ${amount}`}</span>
      </button>
      {payment === undefined ? null : <p class="hint in-progress">{payment}</p>}
      <EndingNote endsAt={endsAt} isEmpty={value === 0n} isOfFile={isFromFile(name, stored.note)} />
    </li>
  )
}

interface UnfinishedProps extends BalanceProps {
  readonly name: string
  readonly own: OwnBalance
  readonly token: Token | undefined
}

const amountOf = ({ own, token }: Pick<UnfinishedProps, 'own' | 'token'>): string =>
  `${showAmount(own.stored?.topUp?.request.amount ?? '0', token?.decimals ?? 0)} ${token?.symbol ?? ''}`

/** A top-up that was interrupted and may have been signed. */
function Unfinished({ name, own, token, book, wallet }: UnfinishedProps) {
  const { senderAddress = '' } = own.stored ?? {}
  const amount = amountOf({ own, token })
  const signer = wallet?.address === senderAddress ? wallet.signer : undefined
  return (
    <li class="listed">
      <p>
        <strong class="listed-amount">{amount}</strong>
        <span class="hint">
          The top-up is not finished. However often you sign, it is paid at most once.
        </span>
      </p>
      <button type="button" class="second" onClick={() => void book.topUp.resume(name, signer)}>
        Finish<span class="visually-hidden">{` the top-up of ${amount}`}</span>
      </button>
    </li>
  )
}

interface UnpaidProps extends UnfinishedProps {
  /** The tracking id of the top-up's order. */
  readonly order: string
}

/**
 * A top-up that ended unpaid according to one node. If the node was wrong, the balance file still opens the balance.
 */
function Unpaid({ name, own, token, book, order }: UnpaidProps) {
  const [isAsking, setAsking] = useState(false)
  const amount = amountOf({ own, token })
  const remove = () => void forgetUnpaid(name).then(book.reread, book.reread)
  return (
    <li class="listed">
      <p>
        <strong class="listed-amount">{amount}</strong>
        <span class="hint">Unpaid: the chain shows no payment of this top-up.</span>
      </p>
      {isAsking ? (
        <>
          <p>
            Check that you have the file {balanceFileName(orderIdOf(order))}. If your wallet paid
            after all, you can send that money only with this file.
          </p>
          <button type="button" class="second" onClick={remove}>
            I have the file: remove this top-up
          </button>
        </>
      ) : (
        <button type="button" class="second" onClick={() => setAsking(true)}>
          Remove<span class="visually-hidden">{` the unpaid top-up of ${amount}`}</span>
        </button>
      )}
    </li>
  )
}
