interface Props {
  readonly names: readonly string[]
  /** How many of the stages are over. */
  readonly done: number
}

/** The stages of a transfer or payment, with the current one marked. */
export function Stages({ names, done }: Props) {
  return (
    <ol class="stages">
      {names.map((name, index) => {
        const state = index < done ? 'done' : index === done ? 'current' : 'ahead'
        return (
          <li key={name} class={state} aria-current={state === 'current' ? 'step' : undefined}>
            {name}
            {state === 'done' ? <span class="visually-hidden"> (done)</span> : null}
          </li>
        )
      })}
    </ol>
  )
}
