import { expect, it } from 'vitest'
import { WorkPool } from './work-pool.ts'

const never = new Promise<void>(() => undefined)

it('a piece of work that hangs occupies only one place', async () => {
  const pool = new WorkPool(2)
  pool.start('hangs', () => never)
  const done: number[] = []
  for (const number of [1, 2, 3]) {
    await pool.room()
    pool.start(`${number}`, async () => void done.push(number))
  }
  await pool.room()
  expect(done).toEqual([1, 2, 3])
  expect([pool.has('hangs'), pool.has('3')]).toEqual([true, false])
})

it('never runs more pieces of work than the limit', async () => {
  const pool = new WorkPool(2)
  let end = (): void => undefined
  pool.start('first', () => new Promise((resolve) => (end = resolve)))
  pool.start('second', () => never)
  let isFree = false
  const room = pool.room().then(() => (isFree = true))
  await new Promise(setImmediate)
  expect(isFree).toBe(false)
  end()
  await room
  expect(isFree).toBe(true)
})

it('a wait for all work ends with the last piece', async () => {
  const pool = new WorkPool(3)
  const ends: (() => void)[] = []
  for (const name of ['a', 'b']) {
    pool.start(name, () => new Promise((resolve) => ends.push(resolve)))
  }
  let isIdle = false
  const idle = pool.idle().then(() => (isIdle = true))
  ends[0]!()
  await new Promise(setImmediate)
  expect(isIdle).toBe(false)
  ends[1]!()
  await idle
})
