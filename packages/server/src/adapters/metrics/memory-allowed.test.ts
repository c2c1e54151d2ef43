import { expect, it } from 'vitest'
import { memoryAllowed } from './memory-allowed.ts'

const MACHINE = 16_000_000_000

it('the allowed memory is the container’s limit minus the memory of the provers', () => {
  expect(memoryAllowed({ container: 1_000_000_000, machine: MACHINE, provers: 1 })).toBe(
    800_000_000,
  )
  expect(memoryAllowed({ container: 500_000_000, machine: MACHINE, provers: 0 })).toBe(500_000_000)
})

it('the allowed memory is the machine’s memory if the container has no limit', () => {
  // The three ways in which the system says that there is no limit.
  for (const container of [undefined, 0, 2 ** 64]) {
    expect(memoryAllowed({ container, machine: MACHINE, provers: 0 })).toBe(MACHINE)
  }
})

it('the allowed memory is never zero, so that the alert is raised if there are too many provers', () => {
  expect(memoryAllowed({ container: 1_000_000_000, machine: MACHINE, provers: 5 })).toBe(1)
})
