import type { TransferState } from '@sotto/sdk/wallet'
import { useState } from 'preact/hooks'
import type { Problem } from '../model/problems.ts'
import { ContinueButton } from './continue-button.tsx'
import { ProblemNote } from './problem-note.tsx'
import { TicketButton } from './ticket-button.tsx'
import type { TransferProps } from './transfer-props.ts'
import { ViewHeading } from './view-heading.tsx'
import { WalletList } from './wallet-list.tsx'

interface Props extends TransferProps {
  readonly problem: Problem
  readonly state: TransferState | undefined
}

/** Shows a transfer that can't continue without the person: the cause, and what the person can do. */
export function Stopped({ problem, state, run, wallet, config, connected }: Props) {
  const [isLeaving, setLeaving] = useState(false)
  const isOwnWallet = wallet?.address === state?.request.senderAddress
  const leave = () => (state === undefined ? run.reset() : setLeaving(true))
  return (
    <div class="card narrow">
      <ViewHeading>{state === undefined ? 'Not sent' : 'Waiting for you'}</ViewHeading>
      <ProblemNote problem={problem} />
      {state !== undefined && wallet === undefined ? (
        <WalletList chain={`solana:${config.cluster}`} connected={connected} />
      ) : null}
      {state !== undefined && wallet !== undefined && !isOwnWallet ? (
        <p class="hint">
          This transfer was started with another wallet. Connect that wallet to continue.
        </p>
      ) : null}
      <div class="row">
        {state === undefined || !problem.canRetry ? null : (
          <ContinueButton
            {...{ problem, isOwnWallet }}
            resume={() => run.resume(state, isOwnWallet ? wallet?.signer : undefined)}
          />
        )}
        <button type="button" class="second" onClick={leave}>
          Start over
        </button>
      </div>
      {isLeaving ? <Leave leave={() => run.reset()} stay={() => setLeaving(false)} /> : null}
      {state !== undefined && 'order' in state ? (
        <>
          <p class="hint">
            However often you sign for this order, it can be paid only once. Keep the order’s ticket
            until you know how the order ended.
          </p>
          <TicketButton trackingId={state.order.trackingId} ticket={state.order.recovery} />
        </>
      ) : null}
    </div>
  )
}

interface LeaveProps {
  readonly leave: () => void
  readonly stay: () => void
}

/**
 * Asks the person to confirm before they leave a transfer that may have been signed, because starting again could pay
 * twice.
 */
function Leave({ leave, stay }: LeaveProps) {
  return (
    <div class="problem" role="alert">
      <h2>This transfer may still be paid</h2>
      <p>
        If your wallet has signed, the money may be on its way, and a new transfer would pay a
        second time. If this browser can store data, it keeps this transfer with its ticket, and
        continues it when you open the page again. Keep the ticket’s file in any case.
      </p>
      <div class="row">
        <button type="button" class="first" onClick={stay}>
          Keep this transfer
        </button>
        <button type="button" class="second" onClick={leave}>
          Set it aside and start over
        </button>
      </div>
    </div>
  )
}
