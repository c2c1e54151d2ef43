import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { AccountState, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { addressFromBytes, NATIVE_MINT, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { createSettlementChain } from './create-settlement-chain.ts'

const addressOf = (place: number) => addressFromBytes(new Uint8Array(32).fill(place))
const [PROGRAM, TREE, MINT, SENDER] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)]

interface Shown {
  readonly owner: Address
  readonly data?: Uint8Array
}

const tokenAccount = (state: AccountState): Shown => ({
  owner: TOKEN_PROGRAM_ADDRESS,
  data: new Uint8Array(
    getTokenEncoder().encode({
      ...{ mint: MINT, owner: SENDER, amount: 0n, delegate: null, state, isNative: null },
      ...{ delegatedAmount: 0n, closeAuthority: null },
    }),
  ),
})
const WALLET: Shown = { owner: SYSTEM_PROGRAM_ADDRESS }
const [OPEN, FROZEN] = [AccountState.Initialized, AccountState.Frozen].map(tokenAccount)

type Answer = Shown | undefined | 'down'

/** A node that shows this account of the sender, and the mint with its token program. */
function nodeWith(answer: Answer) {
  const node = { asked: 0 }
  const accountOf = (address: Address): Shown | undefined => {
    if (address === MINT) return { owner: TOKEN_PROGRAM_ADDRESS, data: new Uint8Array(82) }
    node.asked += 1
    if (answer === 'down') throw new Error('down')
    return answer
  }
  const shownBy = (address: Address) => {
    const shown = accountOf(address)
    const { owner, data = new Uint8Array() } = shown ?? {}
    const base64 = [Buffer.from(data).toString('base64'), 'base64']
    return shown === undefined ? null : { owner, data: base64, lamports: 9n, executable: false }
  }
  const getMultipleAccounts = (addresses: readonly Address[]) => ({
    send: async () => ({ context: { slot: 5n }, value: addresses.map(shownBy) }),
  })
  return { node, rpc: { getMultipleAccounts } as unknown as ChainRpc }
}

/** The sender's state, and the number of requests to the first node and to each witness. */
async function stateOf(mint: Address, answers: readonly Answer[], isOne = false) {
  const first = nodeWith(answers[0])
  const nodes = isOne ? [] : answers.map(nodeWith)
  const chain = createSettlementChain({
    ...{ rpc: first.rpc, witnesses: nodes.map(({ rpc }) => rpc), program: PROGRAM, tree: TREE },
    recipients: {} as never,
  })
  const state = await chain.readPayee(mint, SENDER, 'sender')
  return [state, first.node.asked, ...nodes.map(({ node }) => node.asked)]
}

it('a sender can be refunded if one of several nodes shows an account that can be paid', async () => {
  expect(await stateOf(MINT, [FROZEN, OPEN])).toEqual(['payable', 1, 1, 1])
  expect(await stateOf(MINT, [undefined, 'down', OPEN])).toEqual(['payable', 1, 1, 1, 1])
  const token: Shown = { owner: TOKEN_PROGRAM_ADDRESS }
  expect(await stateOf(NATIVE_MINT, [token, WALLET])).toEqual(['payable', 1, 1, 1])
  // In the native coin, a missing wallet can be paid too.
  expect(await stateOf(NATIVE_MINT, [token, undefined])).toEqual(['absent', 1, 1, 1])
})

it('a sender can’t be refunded if no node shows an account that can be paid', async () => {
  expect(await stateOf(MINT, [FROZEN, FROZEN])).toEqual(['blocked', 1, 1, 1])
  expect(await stateOf(MINT, [FROZEN, 'down'])).toEqual(['blocked', 1, 1, 1])
  expect(await stateOf(MINT, [FROZEN], true)).toEqual(['blocked', 1])
})

it('asks no second node about a sender whom the first node shows as payable', async () => {
  expect(await stateOf(MINT, [OPEN, FROZEN])).toEqual(['payable', 1, 0, 0])
})
