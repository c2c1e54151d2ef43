import { wasmPoseidon } from '@sotto/poseidon'
import {
  addressFromBytes,
  amount,
  innerCommitment,
  NATIVE_MINT,
  ownerOf,
  packOwner,
  unixSeconds,
  type Address,
} from '@sotto/protocol'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFileSecrets } from '../../adapters/keystore/file-secrets.ts'
import { topUpEpochOf } from '../../domain/epoch.ts'
import { decodeTerms } from '../../domain/order-secrets.ts'
import { systemRandom } from '../../adapters/random/system-random.ts'
import type { FollowedDeposit } from '../../ports/settlement-chain.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { openDeposit } from './rebuild-order.ts'

const EPOCH = 500_000
const SENDER = addressFromBytes(new Uint8Array(32).fill(1))
const RECIPIENT = addressFromBytes(new Uint8Array(32).fill(2))
const EXPIRY = unixSeconds(1_800_004_800n)
const AMOUNT_OUT = amount(900n)

let folder = ''
let secrets: Secrets
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-rebuild-'))
  secrets = openFileSecrets(folder, systemRandom)
})
afterAll(() => rm(folder, { recursive: true }))

/** The deposit of one of our orders, but with this value, and with another sender if one is given. */
async function depositOf(changes: { value: bigint; sender?: Address }): Promise<FollowedDeposit> {
  const keys = await secrets.forNewOrder(EPOCH)
  const orderId = new Uint8Array(16).fill(3)
  const claim = { kind: 'transfer', recipient: RECIPIENT, amountOut: AMOUNT_OUT } as const
  const note = { nk: keys.noteKey(orderId), claim, expiry: EXPIRY }
  return {
    ...{ orderId, sender: changes.sender ?? SENDER, isSwap: false },
    ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, partnerFee: amount(0n) },
    ...{ amountIn: amount(changes.value), value: amount(changes.value) },
    ...{ deadline: unixSeconds(1_800_000_600n), validUntil: unixSeconds(1_800_000_600n) },
    inner: innerCommitment(wasmPoseidon, note),
    payload: keys.sealPayload(orderId, { ...claim, expiry: EXPIRY }),
    ...{ order: SENDER, sourceAsset: SENDER, destinationAsset: SENDER },
  }
}

const open = (deposit: FollowedDeposit, own: Pick<Secrets, 'read'> = secrets) =>
  openDeposit(
    {
      ...{ poseidon: wasmPoseidon, pool: { domain: new Uint8Array(32) }, random: systemRandom },
      secrets: { ...secrets, ...own },
    },
    { accountId: 'restored', delays: { minDelaySeconds: 0, maxDelaySeconds: 0 } },
    deposit,
    unixSeconds(1_800_000_000n),
  )

it('restores an order from its own deposit', async () => {
  expect(await open(await depositOf({ value: 1_000n }))).toMatchObject({ value: 1_000n })
})

it('restores a balance with its owner and its sender', async () => {
  const keys = await secrets.forNewOrder(topUpEpochOf(EPOCH))
  const deposit = await depositOf({ value: 1_000n })
  const claim = { kind: 'balance', owner: ownerOf(4_711n) } as const
  const packed = packOwner(claim.owner)
  const note = { nk: keys.noteKey(deposit.orderId), claim, expiry: EXPIRY }
  const payload = { kind: 'balance', owner: packed, expiry: EXPIRY } as const
  const order = await open({
    ...deposit,
    inner: innerCommitment(wasmPoseidon, note),
    payload: keys.sealPayload(deposit.orderId, payload),
  })
  expect(order).toMatchObject({ value: 1_000n, amountOut: 1_000n, sender: SENDER, expiry: EXPIRY })
  expect(order!.epoch).toBe(keys.epoch)
  const terms = decodeTerms(keys.open(deposit.orderId, 'terms', order!.sealedTerms))
  expect(terms).toMatchObject({ recipient: SENDER, owner: Buffer.from(packed).toString('hex') })
})

it('restores no order from a copied payload in a smaller deposit', async () => {
  expect(await open(await depositOf({ value: 899n, sender: RECIPIENT }))).toBeUndefined()
})

it('a balance is restored even if the key of the hour’s transfers is damaged', async () => {
  const damaged: Pick<Secrets, 'read'> = {
    read: async (epoch) => {
      if (epoch === EPOCH) throw new Error('the key file is damaged')
      return secrets.read(epoch)
    },
  }
  const topUps = await secrets.forNewOrder(topUpEpochOf(EPOCH))
  const deposit = await depositOf({ value: 1_000n })
  const claim = { kind: 'balance', owner: ownerOf(4_711n) } as const
  const note = { nk: topUps.noteKey(deposit.orderId), claim, expiry: EXPIRY }
  const terms = { kind: 'balance', owner: packOwner(claim.owner), expiry: EXPIRY } as const
  const inner = innerCommitment(wasmPoseidon, note)
  const balance = { ...deposit, inner, payload: topUps.sealPayload(deposit.orderId, terms) }
  expect(await open(balance, damaged)).toMatchObject({ epoch: topUps.epoch })
  await expect(open(deposit, damaged)).rejects.toThrow('damaged')
})
