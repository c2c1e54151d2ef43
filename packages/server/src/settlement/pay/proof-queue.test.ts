import { expect, it } from 'vitest'
import { ProofQueue } from './proof-queue.ts'

function setUp(provers: number) {
  let nowMs = 0
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const queue = new ProofQueue({ nowMs: () => nowMs }, provers)
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

it('as many proofs are made at a time as there are provers, in the order of their requests', async () => {
  const { start, end, begun } = setUp(2)
  const made = ['a', 'b', 'c', 'd'].map(start)
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('a')
  await end('c')
  await end('d')
  expect(await Promise.all(made)).toEqual(['a', 'b', 'c', 'd'])
})

it('a proof that fails gives its turn to the next', async () => {
  const { start, end, begun } = setUp(1)
  const failing = start('a')
  const next = start('b')
  const refused = expect(failing).rejects.toThrow('the prover died')
  await end('a', new Error('the prover died'))
  await refused
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(await next).toBe('b')
})

it('the rate follows the time that proofs take', async () => {
  const { queue, start, end, pass } = setUp(2)
  for (let count = 0; count < 100; count += 1) {
    const made = start(`${count}`)
    pass(500)
    await end(`${count}`)
    await made
  }
  // Two provers of half a second each.
  expect(queue.proofsPerHour).toBeGreaterThan(14_000)
  expect(queue.proofsPerHour).toBeLessThanOrEqual(14_400)
})
