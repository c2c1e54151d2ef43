import type { TransferState } from '@sotto/sdk/wallet'
import type { Problem } from '../model/problems.ts'
import { ProblemNote } from './problem-note.tsx'
import { TicketButton } from './ticket-button.tsx'
import type { TransferProps } from './transfer-props.ts'
import { ViewHeading } from './view-heading.tsx'
import { WalletList } from './wallet-list.tsx'

interface Props extends TransferProps {
  readonly problem: Problem
  readonly state: TransferState | undefined
}

/** A transfer that can't go on by itself: why, what is kept, and the ways on. */
export function Stopped({ problem, state, run, wallet, config, connected }: Props) {
  const isOwnWallet = wallet?.address === state?.request.senderAddress
  return (
    <div class="card narrow">
      <ViewHeading>{state === undefined ? 'Not sent' : 'Waiting for you'}</ViewHeading>
      <ProblemNote problem={problem} />
      {state !== undefined && wallet === undefined ? (
        <WalletList chain={`solana:${config.cluster}`} connected={connected} />
      ) : null}
      {state !== undefined && wallet !== undefined && !isOwnWallet ? (
        <p class="hint">
          This transfer began with another wallet. Connect that one to go on with it.
        </p>
      ) : null}
      <div class="row">
        {state === undefined || !problem.canRetry ? null : (
          <button
            type="button"
            class="first"
            onClick={() => run.resume(state, isOwnWallet ? wallet?.signer : undefined)}
          >
            Go on
          </button>
        )}
        <button type="button" class="second" onClick={() => run.reset()}>
          Begin anew
        </button>
      </div>
      {state !== undefined && 'order' in state ? (
        <>
          <p class="hint">
            Whatever you have signed of this order can be paid once at most. Keep its ticket until
            you know how it ended.
          </p>
          <TicketButton trackingId={state.order.trackingId} ticket={state.order.recovery} />
        </>
      ) : null}
    </div>
  )
}
