import { TIMINGS, type Timing } from '../model/transfer-form.ts'
import { ChoiceField } from './choice-field.tsx'

interface Props {
  readonly value: Timing
  readonly change: (timing: Timing) => void
}

/** Time against privacy: the sender chooses. */
export function TimingField({ value, change }: Props) {
  return (
    <ChoiceField
      {...{ legend: 'Delivery', name: 'timing', choices: TIMINGS, value, change }}
      hint="It leaves at a random moment within this time. A longer time gives others more chance to send the same amount."
    />
  )
}
