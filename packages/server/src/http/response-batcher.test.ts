import { expect, it } from 'vitest'
import { ResponseBatcher } from './response-batcher.ts'

const open = () => new ResponseBatcher((work) => setImmediate(work))
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it('sends all answers in order, in their turn of the event loop', async () => {
  const sent: number[] = []
  const batcher = open()
  for (const answer of [1, 2, 3]) batcher.add(() => sent.push(answer))
  expect(sent).toEqual([])
  await nextTurn()
  expect(sent).toEqual([1, 2, 3])
  await nextTurn()
  expect(sent).toEqual([1, 2, 3])
})

it('sends the first of many answers before the last is made', async () => {
  const sent: number[] = []
  const batcher = open()
  for (let answer = 1; answer <= 20; answer += 1) batcher.add(() => sent.push(answer))
  expect(sent).toHaveLength(16)
  await nextTurn()
  expect(sent).toHaveLength(20)
})
