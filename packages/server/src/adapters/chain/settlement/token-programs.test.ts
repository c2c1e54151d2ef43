import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  addressFromBytes,
  associatedTokenAddress,
  TOKEN_2022_PROGRAM,
  type Address,
} from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { systemRandom } from '../../random/system-random.ts'
import { Recipients } from '../recipients/recipients.ts'
import { createChain } from '../transfer/create-chain.ts'
import { createSettlementChain } from './create-settlement-chain.ts'
import { tokenPrograms } from './token-programs.ts'

const addressOf = (place: number) => addressFromBytes(new Uint8Array(32).fill(place))
const [PROGRAM, TREE, MINT, WALLET] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)]
const [TRUE, FALSE] = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM]

type Answer = Address | 'down'

/** A node that gives these answers about the owner of the mint, one after the other, and then repeats the last. */
function nodeWith(...answers: readonly [Answer, ...Answer[]]) {
  const node = { asked: [] as Address[] }
  const left: Answer[] = [...answers]
  const shownBy = (address: Address) => {
    node.asked.push(address)
    if (address !== MINT) return null
    const owner = left.length > 1 ? left.shift() : left[0]
    if (owner === 'down') throw new Error('down')
    return { owner, data: ['', 'base64'], lamports: 9n, executable: false }
  }
  const getMultipleAccounts = (addresses: readonly Address[]) => ({
    send: async () => ({ context: { slot: 5n }, value: addresses.map(shownBy) }),
  })
  return { ...node, rpc: { getMultipleAccounts } as unknown as ChainRpc }
}

const witnessesOf = (...nodes: readonly { readonly rpc: ChainRpc }[]) => nodes.map(({ rpc }) => rpc)

it('keeps the token program of a mint only if several nodes agree on it', async () => {
  const first = nodeWith(FALSE, TRUE)
  const others = [nodeWith(TRUE), nodeWith(TRUE)]
  const find = tokenPrograms(first.rpc, witnessesOf(first, ...others))
  // Two of three nodes show the true program.
  expect(await find(MINT)).toBe(TRUE)
  const asked = others.map((one) => one.asked.length)
  expect(await find(MINT)).toBe(TRUE)
  expect(others.map((one) => one.asked.length)).toEqual(asked)
})

it('finds no token program while two nodes differ, and finds it once they agree', async () => {
  const first = nodeWith(FALSE, TRUE)
  const find = tokenPrograms(first.rpc, witnessesOf(first, nodeWith(TRUE)))
  await expect(find(MINT)).rejects.toThrow('the nodes show different token programs')
  expect(await find(MINT)).toBe(TRUE)
})

it('uses the answer of the only one of several nodes that answers for seconds', async () => {
  const [first, other] = [nodeWith(FALSE, TRUE), nodeWith('down', TRUE)]
  let nowMs = 0
  const clock = { nowMs: () => nowMs }
  const find = tokenPrograms(first.rpc, witnessesOf(first, other), clock)
  for (let count = 0; count < 5; count += 1) expect(await find(MINT)).toBe(FALSE)
  // Not every quote asks all nodes again, and waits for the node that doesn't answer.
  expect([first.asked.length, other.asked.length]).toEqual([1, 1])
  nowMs = 10_000
  expect(await find(MINT)).toBe(TRUE)
})

it('finds the token program although the first node shows none', async () => {
  const first = nodeWith(WALLET)
  const find = tokenPrograms(first.rpc, witnessesOf(first, nodeWith(TRUE)))
  expect(await find(MINT)).toBe(TRUE)
})

it('believes the only configured node', async () => {
  const only = nodeWith(FALSE, TRUE)
  const find = tokenPrograms(only.rpc)
  expect([await find(MINT), await find(MINT)]).toEqual([FALSE, FALSE])
})

it('one false answer about a mint changes no token account that quotes, orders and settlements use', async () => {
  const account = await associatedTokenAddress(WALLET, MINT, TRUE)
  const wrong = await associatedTokenAddress(WALLET, MINT, FALSE)
  const parts = () => {
    const first = nodeWith(FALSE, TRUE)
    const witnesses = witnessesOf(first, nodeWith(TRUE), nodeWith(TRUE))
    return { first, at: { rpc: first.rpc, witnesses, program: PROGRAM } }
  }
  const orders = parts()
  const chain = createChain({ ...orders.at, recipients: {} as never })
  expect(await chain.partnerAccount(MINT, WALLET)).toBe(account)
  const settling = parts()
  const settlements = createSettlementChain({
    ...{ ...settling.at, tree: TREE, recipients: {} as never },
  })
  expect(await settlements.readPayee(MINT, WALLET, 'sender')).toBe('absent')
  const quotes = parts()
  const recipients = new Recipients({ ...quotes.at, clock: systemClock, random: systemRandom })
  expect((await recipients.read(MINT, WALLET)).tokenProgram).toBe(TRUE)
  for (const { first } of [settling, quotes]) {
    expect(first.asked).toContain(account)
    expect(first.asked).not.toContain(wrong)
  }
})
