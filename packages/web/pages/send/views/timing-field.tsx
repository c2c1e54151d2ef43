import { CROWD, timingsOf, type FormValues } from '../model/transfer-form.ts'
import { ChoiceField } from './choice-field.tsx'

interface Props {
  readonly values: FormValues
  readonly change: (part: Partial<FormValues>) => void
}

/** Time against privacy: the sender chooses. */
export function TimingField({ values, change }: Props) {
  const choices = timingsOf(values.sourceId !== values.destinationId)
  const value = choices.find(({ id }) => id === values.timing)?.id ?? 'usual'
  return (
    <ChoiceField
      {...{ legend: 'Delivery', name: 'timing', choices, value }}
      change={(timing) => change({ timing })}
      hint={value === 'crowd' ? OF_CROWD : OF_TIME}
    />
  )
}

const OF_TIME =
  'It leaves at a random moment within this time, so that others can send the same amount meanwhile. At once, anyone can link it to you by its time.'
const OF_CROWD = `A crowd is ${CROWD} wallets or more, yours included, that could have made the payment. It leaves only while there is such a crowd. If none comes in time, all of your money comes back to you, the fees too.`
