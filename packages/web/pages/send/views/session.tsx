import type { Token } from '@sotto/sdk/server'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { showAmount } from '../../look/amounts.ts'
import { nowSeconds } from '../../look/durations.ts'
import { isFromFile } from '../model/balance/return-words.ts'
import { isEnding } from '../model/balance/time-of-payment.ts'
import { useBalanceBook, type BalanceBook } from '../model/balance/use-balance-book.ts'
import { explain } from '../model/problems.ts'
import { readTransfer } from '../model/saved-transfer.ts'
import type { PageConfig } from '../model/service.ts'
import { changedForm, emptyForm, type FormValues } from '../model/transfer-form.ts'
import type { Phase } from '../model/transfer-phase.ts'
import { TransferRun } from '../model/transfer-run.ts'
import type { View } from '../model/use-view.ts'
import type { ConnectedWallet } from '../model/wallets.ts'
import { Balances } from './balance/balances.tsx'
import { EndingNote } from './balance/ending-note.tsx'
import { Transfer } from './transfer.tsx'

interface Props {
  readonly config: PageConfig
  readonly tokens: readonly Token[]
  readonly sendable: readonly Token[]
  readonly wallet: ConnectedWallet | undefined
  readonly connected: (wallet: ConnectedWallet) => void
  readonly view: View
  readonly go: (view: View) => void
}

/** The page of one visit. The transfer and the balances both keep running while the page shows only one of them. */
export function Session(props: Props) {
  const { config, tokens, sendable, view, go } = props
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' })
  const [values, setValues] = useState<FormValues>(emptyForm(sendable[0]?.assetId ?? ''))
  const change = (part: Partial<FormValues>) => setValues((before) => changedForm(before, part))
  const run = useMemo(() => new TransferRun(config, tokens, setPhase), [config, tokens])
  const book = useBalanceBook(config, tokens)
  useEffect(() => {
    try {
      const saved = readTransfer()
      if (saved !== undefined) run.resume(saved, undefined)
    } catch (error) {
      // The browser blocks its storage.
      setPhase({ kind: 'problem', problem: explain(error), state: undefined })
    }
  }, [run])
  if (view === 'balances') return <Balances {...props} book={book} />
  const shared = { ...props, phase, run, book, values, change }
  return (
    <>
      <Ending {...{ book, tokens }} showBalances={() => go('balances')} />
      <Transfer {...shared} showBalances={() => go('balances')} />
    </>
  )
}

interface EndingProps {
  readonly book: BalanceBook
  readonly tokens: readonly Token[]
  readonly showBalances: () => void
}

/**
 * The warning that a balance will end. It is shown on the page of transfers, because people might not open the page
 * of balances.
 */
function Ending({ book, tokens, showBalances }: EndingProps) {
  const now = nowSeconds()
  const ending = (book.balances ?? []).flatMap(({ name, stored }) =>
    stored?.note === undefined ? [] : [{ name, ...stored.note }],
  )
  const [first] = ending
    .filter(({ value, endsAt }) => value > 0n && isEnding(endsAt, now))
    .sort((one, other) => (one.endsAt < other.endsAt ? -1 : 1))
  if (first === undefined) return null
  const open = () => {
    book.open(first.name)
    showBalances()
  }
  const token = tokens.find(({ assetId }) => assetId === first.assetId)
  const left = `${showAmount(first.value, token?.decimals ?? 0)} ${token?.symbol ?? ''}`
  return (
    <EndingNote
      endsAt={first.endsAt}
      isEmpty={false}
      isOfFile={isFromFile(first.name, first)}
      left={left}
    >
      <button type="button" class="second" onClick={open}>
        Open this balance
      </button>
    </EndingNote>
  )
}
