import { expect, test } from 'vitest'
import { assertBeaconFollows, beaconValue, isPublic } from '../ceremony/beacon-source.ts'
import type { BitcoinBlock } from '../ceremony/bitcoin-block.ts'
import { type DrandRound, firstRoundFrom, timeOfRound } from '../ceremony/drand.ts'
import { BLOCK, ROUND } from './rehearse.ts'

const round = ROUND as DrandRound
const block = BLOCK as BitcoinBlock
const HOUR = 3_600

test('the value of a drand round is the randomness that drand publishes', () => {
  const published = 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd'
  expect(beaconValue(round)).toBe(published)
})

test('a drand round is refused if its signature is wrong or missing', () => {
  const refuses = (changes: Partial<DrandRound>) =>
    expect(() => beaconValue({ ...round, ...changes })).toThrow('not the signature of drand')
  refuses({ round: 1_001 })
  refuses({ signature: round.signature.replace(/9$/, '8') })
  refuses({ signature: 'c0'.padEnd(96, '0') })
})

test('the value of a Bitcoin block is its published hash', () => {
  const known = '0000000000000000000065bda8f8a88f2e1e00d9a6887a43d640e52a4c7660f2'
  expect(beaconValue(block)).toBe(known)
})

test('a block header without enough proof of work is refused', () => {
  const refuses = (header: string, reason: string) =>
    expect(() => beaconValue({ ...block, header })).toThrow(reason)
  refuses(block.header.replace(/f3$/, 'f4'), 'too little work')
  refuses(block.header.slice(2), 'has 80 bytes')
  // Block 125,552 of 2011. Its header proves real work, but today a single machine does that much work in a day.
  const early =
    '0100000081cd02ab7e569e8bcd9317e2fe99f2de44d49ab2b8851ba4a308000000000000' +
    'e320b6c2fffc8d750423db8b1eb942ae710e951ed797f7affc8892b0f1fc122bc7f5d74df2b9441a42a14695'
  refuses(early, 'too little work')
})

test('a source is public if anyone can look it up', () => {
  expect([round, block, { kind: 'private', hex: '00' } as const].map(isPublic)).toEqual([
    ...[true, true, false],
  ])
})

test('only the first drand round at least six hours after the last contribution can close a phase', () => {
  const last = timeOfRound(1_000) - 6 * HOUR
  for (const time of [last, last - 1, last - 2]) {
    expect(() => assertBeaconFollows(round, time)).not.toThrow()
  }
  expect(() => assertBeaconFollows(round, last + 1)).toThrow('must be drand round 1001')
  expect(() => assertBeaconFollows(round, last - 3)).toThrow('must be drand round 999')
  expect(firstRoundFrom(0)).toBe(1)
})

test('only a Bitcoin block from 6 to 12 hours after the last contribution can close a phase', () => {
  const time = Date.parse('2021-07-11T09:08:22Z') / 1_000
  expect(() => assertBeaconFollows(block, time - 6 * HOUR)).not.toThrow()
  expect(() => assertBeaconFollows(block, time - 12 * HOUR)).not.toThrow()
  expect(() => assertBeaconFollows(block, time - 6 * HOUR + 1)).toThrow('must be a block of')
  expect(() => assertBeaconFollows(block, time - 12 * HOUR - 1)).toThrow('must be a block of')
})
