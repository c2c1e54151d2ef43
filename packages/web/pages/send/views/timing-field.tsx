import { TIMINGS, type Timing } from '../model/transfer-form.ts'

interface Props {
  readonly value: Timing
  readonly change: (timing: Timing) => void
}

/** Time against privacy: the choice that belongs to the sender. */
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
      <p class="hint">At a random moment within that time. The later, the larger the crowd.</p>
    </fieldset>
  )
}
