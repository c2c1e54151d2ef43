import { amount } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planLines, type Room } from './plan-lines.ts'

const linesOf = (...amounts: number[]) =>
  amounts.map((units, line) => ({ line, amount: amount(BigInt(units)) }))
const roomOf = (left: number, more: Partial<Room> = {}): Room => ({
  ...{ left: BigInt(left), lines: 0, mayHold: () => true, ...more },
})
const planned = (amounts: number[], ...rooms: Room[]) =>
  Object.fromEntries(planLines(linesOf(...amounts), rooms).lines)

it('gives every balance a line, and the largest line to the balance with the most money', () => {
  expect(planned([10, 30, 20], roomOf(100), roomOf(200), roomOf(300))).toEqual({ 0: 0, 1: 2, 2: 1 })
})

it('counts the lines that a balance already has', () => {
  expect(planned([10], roomOf(900, { lines: 1 }), roomOf(20))).toEqual({ 0: 1 })
})

it('uses small balances too if an even distribution fails', () => {
  expect(planned([6, 5, 5], roomOf(10), roomOf(6))).toEqual({ 0: 1, 1: 0, 2: 0 })
})

it('names the line that no balance can pay', () => {
  const refused = roomOf(100, { mayHold: (line) => line !== 0 })
  expect(planned([10], refused, roomOf(10))).toEqual({ 0: 1 })
  expect(planLines(linesOf(10), [refused, roomOf(9)]).unplaced).toEqual({ line: 0, amount: 10n })
})

it('never plans more than a balance has', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 12 })
  const rooms = fc.array(fc.integer({ min: -5, max: 120 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(amounts, rooms, (amounts, lefts) => {
      const waiting = linesOf(...amounts)
      const { lines, unplaced } = planLines(
        waiting,
        lefts.map((left) => roomOf(left)),
      )
      for (const [index, left] of lefts.entries()) {
        const taken = waiting.filter(({ line }) => lines.get(line) === index)
        const sum = taken.reduce((total, { amount }) => total + amount, 0n)
        expect(taken.length === 0 || sum <= BigInt(left)).toBe(true)
      }
      expect(unplaced === undefined).toBe(lines.size === amounts.length)
    }),
  )
})
