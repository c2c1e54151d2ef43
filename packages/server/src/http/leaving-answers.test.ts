import { expect, it } from 'vitest'
import { LeavingAnswers } from './leaving-answers.ts'

const open = () => new LeavingAnswers((work) => setImmediate(work))
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it('holds no answer back beyond its turn, and keeps their order', async () => {
  const sent: number[] = []
  const leaving = open()
  for (const answer of [1, 2, 3]) leaving.add(() => sent.push(answer))
  expect(sent).toEqual([])
  await nextTurn()
  expect(sent).toEqual([1, 2, 3])
  await nextTurn()
  expect(sent).toEqual([1, 2, 3])
})

it('lets the first of many leave before the last is made', async () => {
  const sent: number[] = []
  const leaving = open()
  for (let answer = 1; answer <= 20; answer += 1) leaving.add(() => sent.push(answer))
  expect(sent).toHaveLength(16)
  await nextTurn()
  expect(sent).toHaveLength(20)
})
