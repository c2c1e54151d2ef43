import { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OperatorContext } from '../../src/operator/context.ts'
import { registerOrderCommands } from '../../src/operator/order-commands.ts'
import { encodeTrackingId } from '../../src/domain/tracking-id.ts'
import { ChainOfSteps } from './chain-of-steps.ts'
import { newPayment, newSignature } from './new-payment.ts'
import { ACCOUNT, EPOCHS, NOW_MS, openStores, OTHER_MINT, type Stores } from './open-stores.ts'

let stores: Stores
beforeAll(async () => {
  stores = await openStores('PGlite')
  await stores.settlement.openCursor(OTHER_MINT, new Uint8Array(32), NOW_MS)
})
afterAll(() => stores.close())

async function find(pseudonym: string): Promise<unknown> {
  let printed: unknown
  const { database, secrets } = stores
  const context = { database, out: (result: object) => void (printed = result) }
  const program = new Command().exitOverride()
  const withContext = (work: (context: OperatorContext) => Promise<void>) =>
    work(context as unknown as OperatorContext)
  registerOrderCommands(program, withContext, { secrets: () => secrets! })
  await program.parseAsync(['order', 'find', pseudonym], { from: 'user' })
  return printed
}

it('the command finds only the tracking id and the account for a pseudonym', async () => {
  const chain = new ChainOfSteps(stores)
  await chain.deposited()
  const orderId = await chain.deposited({ epoch: EPOCHS[1] })
  const key = await stores.secrets!.read(EPOCHS[1])
  const pseudonym = Buffer.from(key!.pseudonym(orderId)).toString('hex')
  expect(await find(pseudonym)).toEqual({ trackingId: encodeTrackingId(orderId), account: ACCOUNT })
  const { orders } = stores
  const payment = newPayment({ accountId: ACCOUNT, epoch: EPOCHS[1], createdAtMs: NOW_MS })
  await orders.tryCreatePayment(payment, 1_000)
  await orders.trySign(payment.id, newSignature(), NOW_MS)
  expect(await find(Buffer.from(key!.pseudonym(payment.id)).toString('hex'))).toEqual({
    ...{ trackingId: encodeTrackingId(payment.id), account: ACCOUNT },
  })
  await expect(find('0'.repeat(64))).rejects.toThrow('no order has this pseudonym')
  await expect(find('17')).rejects.toThrow('64 hexadecimal digits')
})
