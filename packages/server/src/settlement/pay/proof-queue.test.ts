import { expect, it } from 'vitest'
import { ProofQueue } from './proof-queue.ts'

function setUp(provers: number, atOnce = 1) {
  let nowMs = 0
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const queue = new ProofQueue({ nowMs: () => nowMs }, provers, atOnce)
  const start = (name: string) =>
    queue.run(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name)
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)))
        }),
    )
  const end = async (name: string, error?: Error) => {
    ends.get(name)!(error)
    await new Promise(setImmediate)
  }
  return { queue, start, end, begun, pass: (ms: number) => (nowMs += ms) }
}

it('gives each prover one request to prove and one to prove next, in order', async () => {
  const { start, end, begun } = setUp(2)
  const made = ['a', 'b', 'c', 'd', 'e', 'f'].map(start)
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  for (const name of ['a', 'c', 'd', 'e', 'f']) await end(name)
  expect(await Promise.all(made)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

it('gives three requests to a prover that makes two proofs at once', async () => {
  const { start, end, begun } = setUp(1, 2)
  const made = ['a', 'b', 'c', 'd'].map(start)
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  for (const name of ['b', 'c', 'd']) await end(name)
  expect(await Promise.all(made)).toEqual(['a', 'b', 'c', 'd'])
})

it('counts the time of two simultaneous proofs only once', async () => {
  const { queue, start, end, pass } = setUp(1, 2)
  const made = Array.from({ length: 100 }, (_, count) => start(`${count}`))
  for (let count = 0; count < 100; count += 1) {
    // Two proofs at the same time take a second each. So a proof ends every half second.
    pass(500)
    await end(`${count}`)
  }
  await Promise.all(made)
  expect(queue.proofsPerHour).toBeGreaterThan(7_000)
  expect(queue.proofsPerHour).toBeLessThanOrEqual(7_200)
})

it('passes on the next request after a proof that fails', async () => {
  const { start, end, begun } = setUp(1)
  const failing = start('a')
  const others = ['b', 'c'].map(start)
  const refused = expect(failing).rejects.toThrow('the prover failed')
  await end('a', new Error('the prover failed'))
  await refused
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('b')
  await end('c')
  expect(await Promise.all(others)).toEqual(['b', 'c'])
})

it('adapts the rate to the time that proofs take', async () => {
  const { queue, start, end, pass } = setUp(2)
  for (let count = 0; count < 100; count += 1) {
    const made = start(`${count}`)
    pass(500)
    await end(`${count}`)
    await made
  }
  // There are two provers, and each takes half a second for a proof.
  expect(queue.proofsPerHour).toBeGreaterThan(14_000)
  expect(queue.proofsPerHour).toBeLessThanOrEqual(14_400)
})

it('does not count the time that a proof waits for the previous proof', async () => {
  const { queue, start, end, pass } = setUp(1)
  const made = Array.from({ length: 100 }, (_, count) => start(`${count}`))
  for (let count = 0; count < 100; count += 1) {
    pass(500)
    await end(`${count}`)
  }
  await Promise.all(made)
  expect(queue.proofsPerHour).toBeGreaterThan(7_000)
  expect(queue.proofsPerHour).toBeLessThanOrEqual(7_200)
})
