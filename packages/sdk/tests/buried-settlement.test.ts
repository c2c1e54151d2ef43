import {
  amount,
  encodeTicket,
  nullifierAddress,
  nullifierOf,
  unixSeconds,
  vaultAddress,
  type Address,
} from '@sotto/protocol'
import { expect, it } from 'vitest'
import { FakeChain, note, PROGRAM } from '../../recovery/tests/fake-chain.ts'
import { nodeOf } from '../../recovery/tests/fake-node.ts'
import { proveEnd } from '../src/transfer/prove-end.ts'
import type { Deposited } from '../src/transfer/transfer-state.ts'
import { noteHash } from '../src/verify/poseidon.ts'

const PAYEE = 'Ed25519SigVerify111111111111111111111111111' as Address
const LEAF = 3n
const MONTHS = 200 * 86_400
const NOTE = note({ claim: { kind: 'transfer', recipient: PAYEE, amountOut: amount(5n) } })
const ID = new Uint8Array(16).fill(7)

const DEPOSITED = {
  ...{ step: 'deposited', leafIndex: `${LEAF}`, request: { senderAddress: NOTE.sender } },
  order: {
    trackingId: `tr_${Buffer.from(ID).toString('base64url')}`,
    recovery: encodeTicket({ program: PROGRAM, orderId: ID, note: NOTE }),
    expiration: new Date(Number(NOTE.deadline) * 1_000).toISOString(),
    transaction: '',
  },
} as unknown as Deposited

interface Balances {
  readonly payee: number
  readonly vault: number
}

const VAULT = await vaultAddress(PROGRAM, NOTE.mint)

/**
 * The last transaction of the chain settles the note and changes these balances. It also names `used` in another
 * instruction. Both accounts are closed since.
 */
async function settle(
  chain: FakeChain,
  { payee, vault }: Balances,
  payer?: Address,
  used: readonly Address[] = [],
) {
  const nullifier = nullifierOf(noteHash, NOTE.nk, LEAF)
  const settlement = {
    ...({ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier } as const),
    ...{ payout: amount(5n), fee: amount(0n), payee: PAYEE, changeLeaf: 7n },
    ...{ time: unixSeconds(1_799_998_200n), proof: new Uint8Array(256) },
  }
  await chain.settle(settlement, undefined, payer)
  const settled = chain.transactions.at(-1)!
  const record = settled.record as {
    readonly meta: object
    readonly transaction: {
      readonly message: {
        readonly accountKeys: readonly Address[]
        readonly instructions: object[]
      }
    }
  }
  const { accountKeys, instructions } = record.transaction.message
  const accounts = used.map((account) => accountKeys.indexOf(account))
  instructions.push({ programIdIndex: 0, accounts, data: '' })
  const changes = new Map([
    [PAYEE, payee],
    [VAULT, vault],
  ])
  const preBalances = accountKeys.map(() => 9)
  const postBalances = accountKeys.map((key) => 9 + (changes.get(key) ?? 0))
  Object.assign(record.meta, { preBalances, postBalances })
  const account = await nullifierAddress(PROGRAM, nullifier)
  chain.named.set(account, chain.transactions)
  chain.accounts.delete(account)
  chain.clock += MONTHS
  return settled
}

const endOn = (chain: FakeChain) => proveEnd({ ...nodeOf(chain), programId: PROGRAM }, DEPOSITED)

it('proves a delivery of long ago although ten thousand earlier transactions name the nullifier', async () => {
  const chain = await new FakeChain().open()
  for (let count = 0; count < 10_000; count += 1) chain.spam('landed')
  const settled = await settle(chain, { payee: -1, vault: -5 })
  expect(await endOn(chain)).toMatchObject({
    kind: 'delivered',
    settlement: { signature: settled.signature, payee: PAYEE, amount: '5' },
  })
})

it.each([
  ['the payee spends the money in the same transaction', { payee: 0, vault: -5 }, [PAYEE]],
  ['the same transaction deposits into the vault', { payee: 5, vault: 0 }, [VAULT]],
  ['the payee hides it in both balances', { payee: 4, vault: -4 }, [PAYEE, VAULT]],
])('proves a delivery although %s', async (_case, balances, used) => {
  const chain = await new FakeChain().open()
  await settle(chain, balances, NOTE.sender, used)
  expect(await endOn(chain)).toMatchObject({ kind: 'delivered', settlement: { amount: '5' } })
})

it.each([[[]], [[PAYEE]], [[VAULT]]])(
  'proves no delivery if neither vault nor payee shows the amount, and at most one is used otherwise: %j',
  async (used) => {
    const chain = await new FakeChain().open()
    await settle(chain, { payee: 4, vault: -4 }, NOTE.sender, used)
    expect(await endOn(chain)).toEqual({ kind: 'closed' })
  },
)
