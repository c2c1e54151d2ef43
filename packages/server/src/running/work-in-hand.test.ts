import { expect, it } from 'vitest'
import { WorkInHand } from './work-in-hand.ts'

const never = new Promise<void>(() => undefined)

it('a piece that hangs takes one place, and others come and go beside it', async () => {
  const hand = new WorkInHand(2)
  hand.start('hangs', () => never)
  const done: number[] = []
  for (const number of [1, 2, 3]) {
    await hand.room()
    hand.start(`${number}`, async () => void done.push(number))
  }
  await hand.room()
  expect(done).toEqual([1, 2, 3])
  expect([hand.has('hangs'), hand.has('3')]).toEqual([true, false])
})

it('there is no room for one more than the limit', async () => {
  const hand = new WorkInHand(2)
  let end = (): void => undefined
  hand.start('first', () => new Promise((resolve) => (end = resolve)))
  hand.start('second', () => never)
  let isFree = false
  const room = hand.room().then(() => (isFree = true))
  await new Promise(setImmediate)
  expect(isFree).toBe(false)
  end()
  await room
  expect(isFree).toBe(true)
})

it('idle waits for the last piece', async () => {
  const hand = new WorkInHand(3)
  const ends: (() => void)[] = []
  for (const name of ['a', 'b']) {
    hand.start(name, () => new Promise((resolve) => ends.push(resolve)))
  }
  let isIdle = false
  const idle = hand.idle().then(() => (isIdle = true))
  ends[0]!()
  await new Promise(setImmediate)
  expect(isIdle).toBe(false)
  ends[1]!()
  await idle
})
