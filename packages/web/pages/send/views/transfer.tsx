import { emptyForm, type FormValues } from '../model/transfer-form.ts'
import { Alone } from './alone.tsx'
import { CheckAndSign } from './check-and-sign.tsx'
import { Elsewhere, FinishedElsewhere } from './elsewhere.tsx'
import { Outcome } from './outcome.tsx'
import { Progress } from './progress.tsx'
import { Stopped } from './stopped.tsx'
import { TransferForm } from './transfer-form.tsx'
import type { TransferProps } from './transfer-props.ts'

interface Props extends TransferProps {
  /**
   * The form's values. The parent component keeps them, so that the form is unchanged when the person returns to it.
   */
  readonly values: FormValues
  readonly change: (part: Partial<FormValues>) => void
}

/** Shows the view for the transfer's current phase. */
export function Transfer(props: Props) {
  const { config, tokens, sendable, phase, run, wallet, change } = props
  const name = wallet?.name ?? 'your wallet'
  const again = () => {
    change(emptyForm(sendable[0]?.assetId ?? ''))
    run.reset()
  }
  switch (phase.kind) {
    case 'idle':
    case 'preparing':
    case 'repriced':
      return <TransferForm {...props} tokens={sendable} />
    case 'elsewhere':
      return <Elsewhere again={again} />
    case 'finished':
      return <FinishedElsewhere again={again} />
    case 'alone':
      return <Alone {...props} {...phase} />
    case 'check':
      return <CheckAndSign {...phase} tokens={tokens} walletName={name} run={run} />
    case 'running':
      return <Progress {...phase} config={config} walletName={name} />
    case 'done':
      return <Outcome {...phase} config={config} again={again} />
    case 'problem':
      return <Stopped {...props} {...phase} />
  }
}
