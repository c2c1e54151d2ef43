import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { keepEpoch } from '../../adapters/keystore/epoch-secrets.ts'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { encodePlan, encodeTerms } from '../../domain/order-secrets.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import { NoteOpener } from './open-note.ts'
import { nameOf } from './opened-order.ts'

const EPOCH = 7
const WALLET = '11111111111111111111111111111112'

it('opens an order with the key that was read again after an outage of the keystore', async () => {
  const read = () => keepEpoch(EPOCH, Buffer.alloc(32, 9), systemRandom)
  const before = read()
  const orderId = new Uint8Array(16).fill(1)
  const terms = { recipient: WALLET, accountExisted: true, minDelaySeconds: 0, maxDelaySeconds: 0 }
  const order = {
    ...{ orderId, epoch: EPOCH, sender: WALLET, sourceMint: WALLET, destinationMint: WALLET },
    ...{ value: 2n, amountOut: 1n, deadline: 0n, expiry: unixSeconds(600n), leafIndex: 0 },
    sealedTerms: before.secrets.seal(orderId, 'terms', encodeTerms(terms as never)),
    sealedPlan: before.secrets.seal(orderId, 'plan', encodePlan({ deliverAtMs: 0 })),
  } as unknown as OpenOrder
  let now: EpochSecrets | undefined = before.secrets
  const opener = new NoteOpener({
    secrets: { read: async () => now } as unknown as Secrets,
    poseidon: () => 1n,
    pool: { domain: new Uint8Array(32) },
    log: { failed: () => undefined, alert: () => undefined, event: () => undefined },
  })
  const [first] = await opener.openAll([order])
  const name = nameOf(first!)
  before.wipe()
  now = undefined
  expect(await opener.openAll([order])).toEqual([])
  now = read().secrets
  const [again] = await opener.openAll([order])
  expect(nameOf(again!)).toBe(name)
  expect(again!.secrets.seal(orderId, 'attempt', new Uint8Array(1)).length).toBeGreaterThan(0)
})
