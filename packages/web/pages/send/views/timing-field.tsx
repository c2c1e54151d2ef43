import { showSeconds } from '../../look/durations.ts'
import { CROWD, timingsOf, type FormValues, type Timing } from '../model/transfer-form.ts'
import { ChoiceField } from './choice-field.tsx'

interface Props {
  readonly values: FormValues
  readonly change: (part: Partial<FormValues>) => void
  /** The longest delay according to the quote; undefined until there is a quote. */
  readonly windowSeconds: number | undefined
}

/** Lets the sender choose between a short delivery time and more privacy. */
export function TimingField({ values, change, windowSeconds }: Props) {
  const choices = timingsOf(values.sourceId !== values.destinationId)
  const value = choices.find(({ id }) => id === values.timing)?.id ?? 'usual'
  return (
    <ChoiceField
      {...{ legend: 'Delivery', name: 'timing', choices, value }}
      change={(timing) => change({ timing })}
      hint={HINTS[value](windowSeconds)}
    />
  )
}

const atRandom = (windowSeconds: number | undefined): string => {
  const within = windowSeconds === undefined ? '' : ` within ${showSeconds(windowSeconds)}`
  return `The money leaves at a random moment${within} after you have paid, so that others can send the same amount meanwhile.`
}

const HINTS: Readonly<Record<Timing, (windowSeconds: number | undefined) => string>> = {
  fast: () =>
    'The money leaves as soon as your payment is final. Its time shows everyone that it is yours.',
  usual: atRandom,
  latest: atRandom,
  crowd: () =>
    `A crowd is ${CROWD} wallets or more, yours included, that could have made the payment. The money leaves only while there is such a crowd. If no such crowd forms in time, all of your money comes back to you, with all fees except the chain’s own.`,
}
