import { expect, it } from 'vitest'
import { EndpointCircuits } from './endpoint-circuits.ts'

const DAY_MS = 86_400_000

it('keeps no state of endpoints that answer, and forgets a failing endpoint after a day', async () => {
  const circuits = new EndpointCircuits()
  const send = async (id: string, hasArrived: boolean, nowMs: number) => {
    expect(
      await circuits.enter(
        id,
        () => nowMs,
        () => true,
      ),
    ).toBe(true)
    expect(circuits.size).toBeGreaterThan(0)
    circuits.leave(id, hasArrived, nowMs)
  }
  await send('good', true, 0)
  expect(circuits.size).toBe(0)
  await send('bad', false, 0)
  await send('good', true, DAY_MS)
  expect(circuits.size).toBe(1)
  await send('good', true, 2 * DAY_MS)
  expect(circuits.size).toBe(0)
})

it('keeps the state of an endpoint while messages wait for it', async () => {
  const circuits = new EndpointCircuits()
  const enter = () =>
    circuits.enter(
      'one',
      () => 0,
      () => true,
    )
  for (let count = 0; count < 4; count += 1) expect(await enter()).toBe(true)
  let isAdmitted = false
  const waiting = enter().then(() => (isAdmitted = true))
  await new Promise(setImmediate)
  expect(isAdmitted).toBe(false)
  // All messages end before the waiting message continues.
  for (let count = 0; count < 4; count += 1) circuits.leave('one', true, 0)
  await waiting
  expect(circuits.size).toBe(1)
  circuits.leave('one', true, 0)
  expect(circuits.size).toBe(0)
})
