import { NATIVE_MINT } from '@sotto/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import { readRentHeld } from '../../demo/src/rent-held.ts'
import { awaitRent } from '../../testing/soak/await-rent.ts'
import type { Stage } from '../../testing/stage/open-stage.ts'
import type { Measured } from '../report/line.ts'
import type { SuiteOptions } from '../suite.ts'
import { newPayments, topUp, valueFor } from './owner.ts'

export const LAMPORTS_OF_A_PAYMENT = 'balances: lamports of a payment, one of 10'
const PAYMENTS = 10
const QUICK_PAYMENTS = 2
/**
 * The limit for one payment, in lamports. It covers the fee for a settlement's signature, and a tenth of the fee for a
 * transaction that closes ten Nullifiers. It also leaves a margin.
 */
const LAMPORTS_MAX = 6_000
/** After this many seconds, anyone may close the top-up's Order account. */
const ORDER_CLOSED_SECONDS = 2 * 86_400
const POLL_MS = 200
const PATIENCE_MS = 60_000

async function lamportsOfRelayers({ chain, setup }: Stage): Promise<bigint> {
  let sum = 0n
  for (const relayer of setup.relayers) sum += await chain.balance(relayer, NATIVE_MINT)
  return sum
}

/** Waits until the top-up's Order account is closed. Closing it isn't part of a payment's cost. */
async function closeOrders({ chain, program, advance }: Stage): Promise<void> {
  await advance(ORDER_CLOSED_SECONDS)
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    if ((await readRentHeld(chain, program)).orders.size === 0) return
    await sleep(POLL_MS)
  }
  throw new Error("the top-up's order was never closed")
}

/**
 * Makes ten payments out of a balance, and waits until the rent of their Nullifiers has returned to the relayers. Then
 * measures how many lamports the relayers have lost. The last payment closes the balance. Run this before any other
 * payment on the same stage. Otherwise the Nullifiers of other payments would be counted too.
 */
export async function measureLamports(
  stage: Stage,
  { quick, progress }: SuiteOptions,
): Promise<Measured> {
  const payments = quick ? QUICK_PAYMENTS : PAYMENTS
  const balance = await topUp(stage, valueFor(payments))
  await closeOrders(stage)
  const before = await lamportsOfRelayers(stage)
  await balance.sendAll({ id: 'bench', lines: await newPayments(payments - 1) })
  await balance.close()
  const [rent] = await awaitRent(stage)
  if (rent !== undefined) throw new Error(rent)
  const each = Number(before - (await lamportsOfRelayers(stage))) / payments
  progress(`  ${payments} payments: ${each} lamports each`)
  const name = LAMPORTS_OF_A_PAYMENT
  return { name, unit: 'lamports', values: [each], baselines: [LAMPORTS_MAX], bar: '<= 1' }
}
