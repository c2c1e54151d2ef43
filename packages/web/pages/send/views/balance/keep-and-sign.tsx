import type { ShownNote } from '@sotto/sdk/balance'
import type { Token } from '@sotto/sdk/server'
import type { VerifiedOrder } from '@sotto/sdk/wallet'
import { useState } from 'preact/hooks'
import { showAmount } from '../../../look/amounts.ts'
import { isoOfSeconds, showDay } from '../../../look/durations.ts'
import type { TopUpRun } from '../../model/balance/top-up-run.ts'
import { balanceFileName, downloadBalance } from '../../model/ticket-file.ts'
import { ProgramChecks } from '../checks.tsx'
import { SignButtons } from '../sign-buttons.tsx'
import { ViewHeading } from '../view-heading.tsx'

interface Props {
  readonly order: VerifiedOrder
  readonly note: ShownNote
  readonly tokens: readonly Token[]
  readonly walletName: string
  readonly run: TopUpRun
}

/** Shows the terms and the checks, lets the person save the file with the secret, and only then asks the wallet. */
export function KeepAndSign({ order, note, tokens, walletName, run }: Props) {
  const [isSaved, setSaved] = useState(false)
  const [isKept, setKept] = useState(false)
  const token = tokens.find(({ assetId }) => assetId === note.assetId)
  const end = showDay(isoOfSeconds(note.endsAt))
  return (
    <div class="card narrow">
      <ViewHeading>Save the file, then sign</ViewHeading>
      <Flow {...{ note, token, end }} />
      <TopUpChecks order={order} />
      <section class="ticket" aria-labelledby="file-title">
        <h2 id="file-title">1. Save your balance file</h2>
        <p>
          The file holds your secret key. The key exists only in this browser and in that file, and
          it never goes to this service.{' '}
          <strong>Anyone who has the file can spend your balance</strong>, so keep it like cash.
        </p>
        <p>
          If this browser loses its data, the file brings your balance back. Without it, you must
          wait until {end} for your money to come back to your wallet.
        </p>
        <button
          type="button"
          class={isSaved ? 'second' : 'first'}
          onClick={() => {
            downloadBalance(note.orderId, note.ticket)
            setSaved(true)
          }}
        >
          {isSaved ? 'Save the balance file again' : 'Save the balance file'}
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={isKept}
            disabled={!isSaved}
            onChange={({ currentTarget }) => setKept(currentTarget.checked)}
          />
          I have the file {balanceFileName(note.orderId)}
        </label>
        <p class="hint" role="status">
          {isSaved && !isKept ? 'Look in your downloads, then confirm that the file is there.' : ''}
        </p>
      </section>
      <SignOnce {...{ walletName, run }} isReady={isSaved && isKept} />
    </div>
  )
}

interface FlowProps {
  readonly note: ShownNote
  readonly token: Token | undefined
  /** The time at which the balance ends, in words. */
  readonly end: string
}

function Flow({ note, token, end }: FlowProps) {
  return (
    <p class="flow">
      <span>
        <span class="label">You pay in</span>
        <strong>
          {showAmount(note.value, token?.decimals ?? 0)} <span class="unit">{token?.symbol}</span>
        </strong>
      </span>
      <span class="arrow" aria-hidden="true">
        →
      </span>
      <span>
        <span class="label">You can send it until</span>
        <strong>{end}</strong>
      </span>
    </p>
  )
}

function TopUpChecks({ order }: Pick<Props, 'order'>) {
  return (
    <section class="checks" aria-labelledby="checks-title">
      <h2 id="checks-title">Checked in this browser</h2>
      <ul>
        <li class="ok">
          Your wallet pays exactly this amount, plus the chain’s fee and a small deposit that comes
          back.
        </li>
        <li class="ok">Only your secret key can send this money. This service doesn’t have it.</li>
        <li class="ok">What is left at the end can only come back to your wallet.</li>
        <ProgramChecks order={order} />
      </ul>
    </section>
  )
}

interface SignProps {
  readonly walletName: string
  readonly run: TopUpRun
  readonly isReady: boolean
}

function SignOnce({ walletName, run, isReady }: SignProps) {
  return (
    <section class="ticket" aria-labelledby="sign-title">
      <h2 id="sign-title">2. Sign once</h2>
      <p>Your wallet signs only this top-up. It is not asked for the payments from the balance.</p>
      <SignButtons
        {...{ walletName, isReady, why: 'Save the file and confirm it first.' }}
        answer={(isSigned) => run.answer(isSigned)}
      />
    </section>
  )
}
