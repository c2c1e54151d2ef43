import {
  amount,
  encodeTicket,
  nullifierAddress,
  nullifierOf,
  unixSeconds,
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

it('proves a delivery of long ago although ten thousand earlier transactions name the nullifier', async () => {
  const chain = await new FakeChain().open()
  const nullifier = nullifierOf(noteHash, NOTE.nk, LEAF)
  for (let count = 0; count < 10_000; count += 1) chain.spam('landed')
  await chain.settle({
    ...{ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier },
    ...{ payout: amount(5n), fee: amount(0n), payee: PAYEE, changeLeaf: 7n },
    ...{ time: unixSeconds(1_799_998_200n), proof: new Uint8Array(256) },
  })
  const settled = chain.transactions.at(-1)!
  // Five lamports have left each account, the vault among them.
  const meta = { preBalances: Array(32).fill(9), postBalances: Array(32).fill(4) }
  Object.assign((settled.record as { meta: object }).meta, meta)
  const account = await nullifierAddress(PROGRAM, nullifier)
  chain.named.set(account, chain.transactions)
  // The Nullifier account and the Order account were closed.
  chain.accounts.delete(account)
  chain.clock += MONTHS
  const { rpc } = nodeOf({
    answer: (method, [first, ...rest]) =>
      method === 'getMultipleAccounts'
        ? {
            context: { slot: chain.slot },
            value: (first as Address[]).map(
              (one) => (chain.answer('getAccountInfo', [one]) as { readonly value: unknown }).value,
            ),
          }
        : chain.answer(method, [first, ...rest]),
  })
  expect(await proveEnd({ rpc, programId: PROGRAM }, DEPOSITED)).toMatchObject({
    kind: 'delivered',
    settlement: { signature: settled.signature, payee: PAYEE, amount: '5' },
  })
})
