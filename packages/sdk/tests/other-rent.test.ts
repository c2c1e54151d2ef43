import { amount, ORDER_BYTES } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  sharedProcessProver,
  type SharedProcessProver,
} from '../../../testing/prover/shared-prover.ts'
import { relayerMinimum } from '../../server/src/domain/settlement-cost.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { quoteOf, solSend } from '../../server/tests/http/partner-client.ts'
import { startEngine, type Engine } from '../../server/tests/settlement/stack/engine.ts'
import { makeWallet } from '../../server/tests/settlement/stack/wallet.ts'
import { askedFor, transfer } from '../wallet.ts'
import { openSurvivor } from './transfer/crash-points.ts'
import { optionsOf } from './transfer/paying.ts'

/** A rent price per byte other than 6,960 lamports. All clusters have had that price since they started. */
const LAMPORTS_PER_BYTE = 5_080n

let stack: HttpStack
let prover: SharedProcessProver
let engine: Engine | undefined
beforeAll(async () => {
  const rent = ['--rent', `${LAMPORTS_PER_BYTE}`]
  stack = await startHttpStack(undefined, undefined, [], rent)
  prover = await sharedProcessProver()
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

const soon = { minDelaySeconds: 0, maxDelaySeconds: 1 }

it('names the amounts that the sender must hold at the cluster’s own rent', async () => {
  const rentOf = (bytes: number) =>
    stack.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send()
  expect(await rentOf(0)).toBe(128n * LAMPORTS_PER_BYTE)
  const { quote, ...beside } = await quoteOf(stack, solSend(stack))
  const { native } = (beside as { senderMustHold: { native: string } }).senderMustHold
  const held = (await rentOf(ORDER_BYTES)) + (await rentOf(0))
  const fees = BigInt(native) - BigInt(quote.amountIn) - held
  // The fees are two signatures and the priority fee. With another price of rent, they would differ by far more.
  expect(fees).toBeGreaterThanOrEqual(10_000n)
  expect(fees).toBeLessThan(100_000n)
})

it('a transfer is delivered on a cluster with another rent', async () => {
  const relayers = [makeWallet()]
  // At this rent, the relayer can pay for two settlements. At 6,960 lamports per byte, the relayer could not pay for
  // two settlements, so the service would not use the relayer.
  const enough = (lamportsPerByte: bigint) =>
    relayerMinimum({ lamportsPerByte, priority: amount(0n) })
  const held = enough(LAMPORTS_PER_BYTE)
  expect(held).toBeLessThan(enough(6_960n))
  await stack.localnet.local('requestAirdrop', [relayers[0]!.address, Number(held)])
  type Shown = { tree: Parameters<typeof startEngine>[0]['tree']; domain: string }
  const { tree, domain } = await stack.operate<Shown>('pool', 'show')
  const pool = { tree, domain: new Uint8Array(Buffer.from(domain, 'hex')) }
  engine = startEngine({ ...stack, ...pool, prover, relayers })
  const survivor = openSurvivor(askedFor(solSend(stack, soon)))
  const { save } = survivor
  const ended = await transfer({ ...(await optionsOf(stack)), save, state: survivor.read() })
  expect(ended).toMatchObject({ outcome: 'delivered' })
  // The relayer can't pay for the four settlements that the service keeps in reserve. So `relayers_low` is expected.
  expect(engine.reports.alerts.filter((one) => one !== 'relayers_low')).toEqual([])
})
