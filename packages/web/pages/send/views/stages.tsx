/** A stage's two names: until it is over, and after that. */
export type Stage = readonly [ahead: string, done: string]

interface Props {
  readonly stages: readonly Stage[]
  /** The number of stages that are over. */
  readonly done: number
}

/** The stages of a transfer or payment, with the current one marked. */
export function Stages({ stages, done }: Props) {
  return (
    <ol class="stages">
      {stages.map(([ahead, over], index) => {
        const state = index < done ? 'done' : index === done ? 'current' : 'ahead'
        return (
          <li key={over} class={state} aria-current={state === 'current' ? 'step' : undefined}>
            {state === 'done' ? over : ahead}
            {state === 'done' ? <span class="visually-hidden"> (done)</span> : null}
          </li>
        )
      })}
    </ol>
  )
}
