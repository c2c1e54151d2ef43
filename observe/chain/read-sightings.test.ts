import {
  addressFromBytes,
  amount,
  NATIVE_MINT,
  settlementLayout,
  unixSeconds,
} from '@sotto/protocol'
import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { recordOf } from '../script/script-record.ts'
import { serveScript } from '../script/serve-script.ts'
import { otherPayees } from './failed-notes.ts'
import { readSightings } from './read-sightings.ts'

const random = new SeededRandom('failed')
const address = () => addressFromBytes(random.bytes(32))
const [program, tree, relayer, stranger] = [address(), address(), address(), address()]
const [anna, bela, cleo] = [address(), address(), address()]
const BEGIN = 1_700_000_400

interface Settled {
  readonly at: number
  readonly nullifier: bigint
  readonly payee: typeof anna
  readonly payer?: typeof anna
  readonly isRefund?: boolean
  readonly fails?: boolean
}

async function read(settlements: readonly Settled[]) {
  const records = await Promise.all(
    settlements.map(async ({ at, nullifier, payee, payer = relayer, isRefund, fails }, place) => {
      const instructions = await settlementLayout(
        { program, tree, payer },
        NATIVE_MINT,
        {
          ...{ isRefund: isRefund === true, root: { kind: 'recent', index: 0 }, nullifier, payee },
          ...{ payout: amount(900n), fee: amount(isRefund === true ? 0n : 10n), changeLeaf: 7n },
          ...{ time: unixSeconds(BigInt(BEGIN)), proof: random.bytes(256) },
        },
        1_000n,
        false,
      )
      const err = fails === true ? { InstructionError: [3, { Custom: 1 }] } : null
      const signature = random.bytes(64)
      const shared = { slot: place + 1, seconds: BEGIN + at, payer, instructions, signature }
      return recordOf({ ...shared, err })
    }),
  )
  const times = { untilSeconds: BEGIN + 9_000, openedSeconds: new Map() }
  const served = await serveScript({ program, tree, records, ledger: { links: [] }, ...times })
  try {
    return await readSightings({ rpcUrl: served.rpcUrl, program })
  } finally {
    await served.stop()
  }
}

it('reads settlements that failed in a block, and finds the other payees of their notes', async () => {
  const sightings = await read([
    { at: 0, nullifier: 1n, payee: bela, fails: true },
    { at: 10, nullifier: 2n, payee: bela, fails: true },
    { at: 20, nullifier: 3n, payee: bela, fails: true },
    { at: 30, nullifier: 1n, payee: anna, isRefund: true },
    { at: 40, nullifier: 2n, payee: cleo },
    { at: 50, nullifier: 3n, payee: bela },
  ])
  expect(sightings.settlements.map(({ nullifier }) => nullifier)).toEqual([1n, 2n, 3n])
  expect(sightings.leafSeconds).toHaveLength(3)
  expect(sightings.failed.map(({ nullifier }) => nullifier)).toEqual([1n, 2n, 3n])
  expect(otherPayees(sightings)).toEqual([[bela], [bela], []])
})

it('finds no other payees in failed settlements that anyone could have sent', async () => {
  const sightings = await read([
    { at: 0, nullifier: 1n, payee: bela, payer: stranger, fails: true },
    { at: 10, nullifier: 1n, payee: anna, isRefund: true },
    { at: 20, nullifier: 1n, payee: cleo, fails: true },
  ])
  expect(sightings.failed.map(({ payee }) => payee)).toEqual([cleo])
  expect(otherPayees(sightings)).toEqual([[]])
})
