import { TIMINGS, type Timing } from '../model/transfer-form.ts'

interface Props {
  readonly value: Timing
  readonly change: (timing: Timing) => void
}

/** Time against privacy: the sender chooses. */
export function TimingField({ value, change }: Props) {
  return (
    <fieldset class="field timing">
      <legend>Delivery</legend>
      <div class="segments">
        {TIMINGS.map(({ id, label }) => (
          <label key={id}>
            <input
              type="radio"
              name="timing"
              value={id}
              checked={value === id}
              onChange={() => change(id)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <p class="hint">
        It leaves at a random moment within this time. A longer time gives others more chance to
        send the same amount.
      </p>
    </fieldset>
  )
}
