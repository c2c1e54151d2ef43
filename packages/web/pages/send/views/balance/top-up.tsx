import type { TransferState } from '@sotto/sdk/wallet'
import { useState } from 'preact/hooks'
import { emptyTopUp, type TopUpValues } from '../../model/balance/top-up-form.ts'
import { ContinueButton } from '../continue-button.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { ViewHeading } from '../view-heading.tsx'
import { WalletList } from '../wallet-list.tsx'
import type { BalanceProps } from './balance-props.ts'
import { KeepAndSign } from './keep-and-sign.tsx'
import { TopUpForm } from './top-up-form.tsx'

/** Shows the view for the top-up's current phase. */
export function TopUp(props: BalanceProps) {
  const { book, tokens, sendable, wallet } = props
  const { place, topUp, topUpPhase: phase } = book
  // These values are kept in this component, so that the form is unchanged when the person returns to it.
  const first = (place.kind === 'new' ? place.assetId : undefined) ?? sendable[0]?.assetId ?? ''
  const [values, setValues] = useState(emptyTopUp(first))
  const change = (part: Partial<TopUpValues>) => setValues((before) => ({ ...before, ...part }))
  switch (phase.kind) {
    case 'idle':
    case 'preparing':
      if (place.kind !== 'new') return <Resuming />
      return <TopUpForm {...{ ...props, tokens: sendable, values, change }} />
    case 'elsewhere':
      return (
        <div class="card narrow">
          <ViewHeading>Already open in another tab</ViewHeading>
          <p class="now" role="status">
            Another tab of this browser is paying into this balance. Finish there, or close that
            tab: then this tab continues.
          </p>
          <button type="button" class="second" onClick={() => topUp.leave()}>
            Back to your balances
          </button>
        </div>
      )
    case 'keep':
      return (
        <KeepAndSign
          {...phase}
          {...{ tokens }}
          walletName={wallet?.name ?? 'your wallet'}
          run={topUp}
        />
      )
    case 'running':
      return (
        <div class="card narrow">
          <ViewHeading>Paying in</ViewHeading>
          <p class="now" role="status">
            {sentence(phase.step, wallet?.name ?? 'your wallet')}
          </p>
          <p class="hint">
            You can close this page. Your balances then show this top-up, and you can finish it
            there.
          </p>
        </div>
      )
    case 'done':
      return null
    case 'problem':
      return <Stopped {...props} phase={phase} />
  }
}

function Resuming() {
  return (
    <div class="card narrow">
      <ViewHeading>Your top-up</ViewHeading>
      <p class="now" role="status">
        Checking how far the top-up has come.
      </p>
    </div>
  )
}

function sentence(step: TransferState['step'], walletName: string): string {
  switch (step) {
    case 'signing':
      return `Sign in ${walletName}.`
    case 'refreshing':
      return 'The transaction expired before the chain carried it out. A new transaction for the same top-up is being made. Only one of the two transactions can ever pay.'
    case 'unwinding':
      return 'The order has ended. Waiting until none of its transactions can be carried out any more.'
    case 'asked':
    case 'quoted':
    case 'ordered':
    case 'submitting':
    case 'deposited':
    case 'done':
      return 'Sending your signed transaction to the chain.'
  }
}

interface StoppedProps extends BalanceProps {
  readonly phase: Extract<BalanceProps['book']['topUpPhase'], { kind: 'problem' }>
}

/** Shows a top-up that can't continue without the person: the cause, and what the person can do. */
function Stopped({ phase, book, config, wallet, connected }: StoppedProps) {
  const { problem, name } = phase
  const sender = book.balances?.find((one) => one.name === name)?.stored?.senderAddress
  const isOwnWallet = wallet !== undefined && wallet.address === sender
  const isOtherWallet = wallet !== undefined && sender !== undefined && !isOwnWallet
  return (
    <div class="card narrow">
      <ViewHeading>{name === undefined ? 'Nothing was paid in' : 'Waiting for you'}</ViewHeading>
      <ProblemNote problem={problem} />
      {name !== undefined && wallet === undefined ? (
        <WalletList chain={`solana:${config.cluster}`} connected={connected} />
      ) : null}
      {isOtherWallet ? (
        <p class="hint">
          This top-up was started with another wallet. Connect that wallet to continue.
        </p>
      ) : null}
      <div class="row">
        {name === undefined ? null : (
          <ContinueButton
            {...{ problem, isOwnWallet }}
            resume={() => void book.topUp.resume(name, wallet?.signer)}
          />
        )}
        <button
          type="button"
          class="second"
          onClick={() => {
            book.topUp.dismiss()
            book.go({ kind: 'list' })
          }}
        >
          Back to your balances
        </button>
      </div>
    </div>
  )
}
