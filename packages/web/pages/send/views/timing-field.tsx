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
      hint="It leaves at a random moment within this time, so that others can send the same amount meanwhile. At once, anyone can link it to you by its time."
    />
  )
}
