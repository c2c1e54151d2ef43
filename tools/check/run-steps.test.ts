import { expect, test } from 'vitest'
import type { Step } from './outcome.ts'
import { runSteps, type StepResult } from './run-steps.ts'

const passing = (name: string) => [{ name, problems: [] }]

async function shownOf(steps: readonly Step[], lanes: number): Promise<StepResult[]> {
  const shown: StepResult[] = []
  await runSteps(steps, lanes, (result) => shown.push(result))
  return shown
}

test('results are shown in the order of the steps', async () => {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const steps = [
    { name: 'slow', run: () => ended.then(() => passing('slow')) },
    { name: 'quick', run: async () => passing('quick') },
    {
      name: 'last',
      run: async () => {
        end()
        return passing('last')
      },
    },
  ]
  const shown = await shownOf(steps, 2)
  expect(shown.map(({ name }) => name)).toEqual(['slow', 'quick', 'last'])
})

test.each([1, 2, 3])('at most %i steps run at a time', async (lanes) => {
  let [running, most] = [0, 0]
  const steps = Array.from({ length: 5 }, (_, index) => ({
    name: `${index}`,
    run: async () => {
      most = Math.max(most, (running += 1))
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return passing(`${index}`)
    },
  }))
  expect(await shownOf(steps, lanes)).toHaveLength(5)
  expect(most).toBe(lanes)
})

test('a step that throws does not stop the other steps', async () => {
  const steps = [
    { name: 'broken', run: () => Promise.reject(new Error('no such tool')) },
    { name: 'whole', run: async () => passing('whole') },
  ]
  const [broken, whole] = await shownOf(steps, 1)
  expect(broken?.outcomes[0]?.problems[0]).toMatch(/^could not run: Error: no such tool/)
  expect(whole?.outcomes).toEqual(passing('whole'))
})
