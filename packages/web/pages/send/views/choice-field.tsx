interface Choice<Id extends string> {
  readonly id: Id
  readonly label: string
}

interface Props<Id extends string> {
  readonly legend: string
  /** The name of the radio buttons. It must be unique on the page. */
  readonly name: string
  readonly choices: readonly Choice<Id>[]
  readonly isEqual?: boolean
  readonly value: Id
  readonly change: (id: Id) => void
  readonly hint: string
}

/**
 * Lets a person choose one of a few options, which are shown next to each other. With `isEqual`, all options have the
 * same width.
 */
export function ChoiceField<Id extends string>({ choices, value, change, ...props }: Props<Id>) {
  return (
    <fieldset class="field timing">
      <legend>{props.legend}</legend>
      <div class={props.isEqual === true ? 'segments equal' : 'segments'}>
        {choices.map(({ id, label }) => (
          <label key={id}>
            <input
              type="radio"
              name={props.name}
              value={id}
              checked={value === id}
              onChange={() => change(id)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <p class="hint">{props.hint}</p>
    </fieldset>
  )
}
