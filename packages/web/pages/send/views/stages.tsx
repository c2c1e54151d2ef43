/** A stage's two names: one until the stage is complete, and one after that. */
export type Stage = readonly [ahead: string, done: string]

interface Props {
  readonly stages: readonly Stage[]
  /** The number of stages that are complete. */
  readonly done: number
}

/** Lists the stages of a transfer or payment, and marks the current stage. */
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
