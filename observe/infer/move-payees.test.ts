import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { inferLinks } from './infer-links.ts'
import { sampleSightings } from './sample-sightings.ts'

const COIN = 1_000_000_000n
const EFFORT = { runs: 4, warmUp: 30, sweeps: 100 }
const LATER = 20_000

type Deposit = Parameters<typeof sampleSightings>[0][number]
type Settlement = Parameters<typeof sampleSightings>[1][number]

const inOrder = (left: { at: number }, right: { at: number }) => left.at - right.at

/** The chance that `sender` made each payment to `payee`. */
function chancesOf(
  deposits: readonly Deposit[],
  settlements: readonly Settlement[],
  payee: string,
  sender: string,
): number[] {
  const sightings = sampleSightings([...deposits].sort(inOrder), [...settlements].sort(inOrder))
  return inferLinks(sightings, new SeededRandom('payees'), EFFORT)
    .filter(({ settlement }) => sightings.settlements[settlement]!.payee === payee)
    .map(({ candidates }) =>
      candidates
        .filter(({ deposit }) => sightings.deposits[deposit]!.sender === sender)
        .reduce((sum, { chance }) => sum + chance, 0),
    )
}

/** Equal transfers of different wallets to different payees, all within two minutes. */
function crowd(at: number, name: string) {
  const numbers = Array.from({ length: 10 }, (_, place) => place)
  return {
    deposits: numbers.map((place) => ({
      ...{ at: at + place * 10, value: COIN, sender: `${name} ${place}` },
    })),
    settlements: numbers.map((place) => ({
      ...{ at: at + 200 + place * 10, gross: COIN, payee: `payee of ${name} ${place}` },
    })),
  }
}

/** A transfer with an odd amount, whose sender is known. */
const odd = (at: number, sender: string, payee: string) => ({
  deposit: { at, value: 700_000_001n + BigInt(at) * 1_000n, sender },
  settlement: { at: at + 60, gross: 700_000_001n + BigInt(at) * 1_000n, payee },
})

/** Wallets that pay their payees twice. The observer learns from them that payees are seldom shared. */
const others = Array.from({ length: 40 }, (_, place) => {
  const number = place % 20
  return odd(LATER * 2 + place * 500, `other ${number}`, `payee of other ${number}`)
})

it('finds the only wallet that can have made both payments to a payee', () => {
  const [first, second] = [crowd(0, 'early'), crowd(LATER, 'late')]
  const chances = chancesOf(
    [
      ...[...first.deposits, ...second.deposits, ...others.map(({ deposit }) => deposit)],
      { at: 45, value: COIN, sender: 'anna' },
      { at: LATER + 45, value: COIN, sender: 'anna' },
    ],
    [
      ...[
        ...first.settlements,
        ...second.settlements,
        ...others.map(({ settlement }) => settlement),
      ],
      { at: 245, gross: COIN, payee: 'x' },
      { at: LATER + 245, gross: COIN, payee: 'x' },
    ],
    'x',
    'anna',
  )
  expect(chances).toHaveLength(2)
  for (const chance of chances) expect(chance).toBeGreaterThan(0.9)
})

it('gives each of two wallets that can have made all payments to a payee the same chance', () => {
  const deposits = ['anna', 'bela'].flatMap((sender, place) =>
    [0, LATER].map((at) => ({ at: at + place, value: COIN, sender })),
  )
  const settlements = ['x', 'y'].flatMap((payee, place) =>
    [0, LATER].map((at) => ({ at: at + 100 + place, gross: COIN, payee })),
  )
  const chances = chancesOf(
    [...deposits, ...others.map(({ deposit }) => deposit)],
    [...settlements, ...others.map(({ settlement }) => settlement)],
    'x',
    'anna',
  )
  expect(chances).toHaveLength(2)
  expect(Math.abs(chances[0]! - chances[1]!)).toBeLessThan(0.03)
  for (const chance of chances) expect(Math.abs(chance - 0.5)).toBeLessThan(0.15)
})

it('is less certain if other wallets pay the payee too', () => {
  const chanceOfAnna = (payers: number): number => {
    const early = crowd(0, 'early')
    const known = [
      odd(LATER, 'anna', 'x'),
      ...Array.from({ length: payers }, (_, place) =>
        odd(LATER + 1_000 + place * 500, `payer ${place}`, 'x'),
      ),
    ]
    const all = [...known, ...others]
    const [chance] = chancesOf(
      [
        ...[...early.deposits, ...all.map(({ deposit }) => deposit)],
        { at: 45, value: COIN, sender: 'anna' },
      ],
      [
        ...[...early.settlements, ...all.map(({ settlement }) => settlement)],
        { at: 245, gross: COIN, payee: 'x' },
      ],
      'x',
      'anna',
    )
    return chance!
  }
  expect(chanceOfAnna(0)).toBeGreaterThan(0.95)
  expect(chanceOfAnna(8)).toBeLessThan(0.8)
})
