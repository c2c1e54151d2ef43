import { expect, it } from 'vitest'
import { signingVersions } from './webhook-secret.ts'

const NOW_MS = 1_000
const during = { overlapUntilMs: NOW_MS + 1 }

it('the secret that was in use before a rotation still signs after the rotation was repeated', () => {
  expect(signingVersions({ secretVersion: 2, ...during }, NOW_MS)).toEqual([2, 1])
  expect(signingVersions({ secretVersion: 3, ...during }, NOW_MS)).toEqual([3, 2, 1])
  expect(signingVersions({ secretVersion: 9, ...during }, NOW_MS)).toEqual([9, 8, 7, 6, 5])
})

it('only the newest secret signs after the overlap, and before the first rotation', () => {
  expect(signingVersions({ secretVersion: 3, overlapUntilMs: NOW_MS }, NOW_MS)).toEqual([3])
  expect(signingVersions({ secretVersion: 1, overlapUntilMs: undefined }, NOW_MS)).toEqual([1])
})
