import { CheckAndSign } from './check-and-sign.tsx'
import { Outcome } from './outcome.tsx'
import { Progress } from './progress.tsx'
import { Stopped } from './stopped.tsx'
import { TransferForm } from './transfer-form.tsx'
import type { TransferProps } from './transfer-props.ts'

/** The view of the phase that the transfer is in. */
export function Transfer(props: TransferProps) {
  const { tokens, phase, run, wallet } = props
  const name = wallet?.name ?? 'your wallet'
  switch (phase.kind) {
    case 'idle':
    case 'preparing':
    case 'repriced':
      return <TransferForm {...props} />
    case 'check':
      return <CheckAndSign {...phase} tokens={tokens} walletName={name} run={run} />
    case 'running':
      return <Progress {...phase} tokens={tokens} walletName={name} />
    case 'done':
      return <Outcome {...phase} tokens={tokens} again={() => run.reset()} />
    case 'problem':
      return <Stopped {...props} {...phase} />
  }
}
