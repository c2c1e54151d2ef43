import type { Outcome, Step } from './outcome.ts'

/** A finished step with its results, and the seconds that it took. */
export interface StepResult {
  readonly name: string
  readonly outcomes: Outcome[]
  readonly seconds: number
}

/**
 * Runs steps in order, at most `lanes` at the same time. Calls `show` with the result of each step in the same order,
 * as soon as the step and all steps before it have ended. If a step throws, its only outcome is a failure.
 */
export async function runSteps(
  steps: readonly Step[],
  lanes: number,
  show: (result: StepResult) => void,
): Promise<void> {
  const results: (StepResult | undefined)[] = steps.map(() => undefined)
  let [begun, shown] = [0, 0]
  const work = async (): Promise<void> => {
    for (let step = steps[begun]; step !== undefined; step = steps[begun]) {
      const index = begun
      begun += 1
      results[index] = await runStep(step)
      for (let next = results[shown]; next !== undefined; next = results[shown]) {
        shown += 1
        show(next)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
}

async function runStep({ name, run }: Step): Promise<StepResult> {
  const startMs = performance.now()
  const outcomes = await run().catch((error: unknown) => [crashed(name, error)])
  return { name, outcomes, seconds: (performance.now() - startMs) / 1_000 }
}

/** The outcome of a step that threw an error and so checked nothing. The other steps still report their outcomes. */
function crashed(name: string, error: unknown): Outcome {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { name, problems: [`could not run: ${reason}`] }
}
