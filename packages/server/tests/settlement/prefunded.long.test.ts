import {
  assetAddress,
  associatedTokenAddress,
  leafOfNote,
  nullifierAddress,
  nullifierOf,
  orderAddress,
  poolAddress,
  programDataAddress,
  type Address,
} from '@sotto/protocol'
import {
  readPool as readPoolFromTicket,
  readProgramFacts,
  readSettledNote,
  readTokenProgram,
  settleNote,
} from '@sotto/recovery'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChain } from '../../src/adapters/chain/transfer/create-chain.ts'
import { wasmPoseidon } from '@sotto/poseidon'
import { mintDecimals } from '../../src/adapters/prices/mint-decimals.ts'
import { createSettlementChain } from '../../src/adapters/chain/settlement/create-settlement-chain.ts'
import { findAsset } from '../../src/operator/asset/asset-account.ts'
import { readTokenMint } from '../../src/operator/asset/token-mint.ts'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { startEngine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, lamportsOf, placeOrder, waitForStatus, type PlacedOrder } from './stack/orders.ts'
import { recipientsOf } from './stack/recipients-of.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

/** Lamports that anyone can send to an address before the program uses the address. */
const LAMPORTS = 1_000_000n
/** The address of a new wallet. There is no program at this address. */
const NO_PROGRAM = makeWallet().address

let stack: Stack
let chain: SettlementChain
beforeAll(async () => {
  stack = await startStack()
  const { rpc, tree } = stack
  const recipients = recipientsOf(rpc, PROGRAM)
  chain = createSettlementChain({ rpc, program: PROGRAM, tree, recipients })
})
afterAll(() => stack?.close())

const prefund = (account: Address) => stack.airdrop(account, LAMPORTS)

function place(): Promise<PlacedOrder> {
  const recipient = makeWallet().address
  return placeOrder(stack, { amountOut: 5_000_000n, fee: 100_000n, recipient })
}

const ticketOf = ({ terms, note }: PlacedOrder) => ({
  ...{ program: PROGRAM, orderId: terms.orderId, note },
})

async function settle(order: PlacedOrder, kind: 'deliver' | 'refund'): Promise<string> {
  const payer = makeWallet()
  await stack.airdrop(payer.address, 1_000_000_000n)
  return settleNote({
    ...{ rpc: stack.rpc, poseidon: wasmPoseidon, ticket: ticketOf(order), kind },
    prove: (inputs) => stack.prover.prove(inputs),
    payer: await createKeyPairSignerFromBytes(new Uint8Array(payer.keypair)),
  })
}

it('lamports at the address of an Order do not count as a deposit', async () => {
  const order = await place()
  const { orderId } = order.terms
  await prefund(await orderAddress(PROGRAM, orderId))
  expect(await chain.readConfirmedLeaves(0)).toEqual([])
  const signature = await deposit(stack, order)
  const leaf = leafOfNote(wasmPoseidon, stack.domain, order.note)
  expect(await chain.readConfirmedLeaves(0)).toEqual([leaf])
  // The transfer of lamports was the first transaction that named the account. It must not be found as the deposit.
  await expect.poll(async () => (await chain.findDeposit(orderId))?.signature).toBe(signature)
})

it('lamports at the address of a Nullifier do not count as a settlement', async () => {
  const [served, recovered] = [await place(), await place()]
  await deposit(stack, served)
  await deposit(stack, recovered)
  // The leaf with the index 0 belongs to the deposit of the first test.
  const nullifiers = [served, recovered].map(({ note }, index) =>
    nullifierOf(wasmPoseidon, note.nk, BigInt(1 + index)),
  )
  for (const nullifier of nullifiers) await prefund(await nullifierAddress(PROGRAM, nullifier))
  expect((await chain.readNullifiers(nullifiers, 0n)).settled).toEqual([undefined, undefined])
  const state = () => readSettledNote(stack.rpc, ticketOf(recovered), nullifiers[1]!)
  expect(await state()).toBeUndefined()
  const signature = await settle(recovered, 'deliver')
  await expect.poll(() => lamportsOf(stack, recovered.recipient)).toBe(5_000_000n)
  expect(await state()).toMatchObject({ kind: 'delivered', payee: recovered.recipient })
  for (const kind of ['deliver', 'refund'] as const) {
    await expect(settle(recovered, kind)).rejects.toMatchObject({
      code: 'ALREADY_SETTLED',
      message: 'this order was delivered already: nothing is left to pay',
      paid: { kind: 'delivered', payee: recovered.recipient, signature },
    })
  }
  const engine = startEngine(stack)
  await waitForStatus(stack, served, 'delivered')
  const { outcome } = await waitForStatus(stack, recovered, 'delivered')
  await engine.stop()
  expect(outcome).toMatchObject({ kind: 'delivery', signature })
  expect(await lamportsOf(stack, served.recipient)).toBe(5_000_000n)
})

it('lamports at an address do not count as a pool, asset, program, mint or token account', async () => {
  const { rpc, usdc } = stack
  const wallet = makeWallet().address
  const token = await associatedTokenAddress(wallet, usdc)
  const accounts = [
    await poolAddress(NO_PROGRAM),
    await programDataAddress(NO_PROGRAM),
    await assetAddress(PROGRAM, wallet),
    ...[wallet, token],
  ]
  for (const account of accounts) await prefund(account)
  const api = createChain({
    ...{ rpc, program: NO_PROGRAM },
    recipients: recipientsOf(rpc, NO_PROGRAM),
  })
  expect(await api.readPool()).toBeUndefined()
  expect(await findAsset(rpc, PROGRAM, wallet)).toBeUndefined()
  expect(await chain.readPayee(usdc, wallet, 'recipient')).toBe('absent')
  await expect(readTokenMint(rpc, wallet)).rejects.toThrow(
    /no token program of this cluster owns the mint/,
  )
  await expect(readTokenMint(rpc, token)).rejects.toThrow(
    /no token program of this cluster owns the mint/,
  )
  await expect(mintDecimals(rpc, async () => 6)(wallet)).rejects.toThrow(/not a mint/)
  const wrongCluster = { code: 'WRONG_CLUSTER' }
  await expect(readPoolFromTicket(rpc, NO_PROGRAM)).rejects.toMatchObject(wrongCluster)
  await expect(readTokenProgram(rpc, wallet)).rejects.toMatchObject(wrongCluster)
  await expect(readProgramFacts(rpc, NO_PROGRAM)).rejects.toThrow(/no record of the program/)
})
