import { useState } from 'preact/hooks'
import { emptyForm, type FormValues } from '../model/transfer-form.ts'
import { Alone } from './alone.tsx'
import { CheckAndSign } from './check-and-sign.tsx'
import { Outcome } from './outcome.tsx'
import { Progress } from './progress.tsx'
import { Stopped } from './stopped.tsx'
import { TransferForm } from './transfer-form.tsx'
import type { TransferProps } from './transfer-props.ts'

/** The view for the transfer's current phase. */
export function Transfer(props: TransferProps) {
  const { config, tokens, phase, run, wallet } = props
  const first = tokens[0]?.assetId ?? ''
  // Kept here, so that the form is unchanged when a person goes back to it.
  const [values, setValues] = useState<FormValues>(emptyForm(first))
  const change = (part: Partial<FormValues>) => setValues((before) => ({ ...before, ...part }))
  const name = wallet?.name ?? 'your wallet'
  const again = () => {
    setValues(emptyForm(first))
    run.reset()
  }
  switch (phase.kind) {
    case 'idle':
    case 'preparing':
    case 'repriced':
      return <TransferForm {...props} values={values} change={change} />
    case 'alone':
      return <Alone {...phase} tokens={tokens} run={run} />
    case 'check':
      return <CheckAndSign {...phase} tokens={tokens} walletName={name} run={run} />
    case 'running':
      return <Progress {...phase} config={config} tokens={tokens} walletName={name} />
    case 'done':
      return <Outcome {...phase} config={config} tokens={tokens} again={again} />
    case 'problem':
      return <Stopped {...props} {...phase} />
  }
}
