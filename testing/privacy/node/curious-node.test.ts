import { associatedTokenAddress, NATIVE_MINT, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { DECOYS_OF_KIND } from '../../../packages/server/src/adapters/chain/recipients/decoys.ts'
import { TOKEN } from './watching-node.ts'
import { leastCrowd } from './guess-payees.ts'
import { SEED } from './live-and-guess.ts'
import { liveThrough, type TrueTransfer } from './live-through.ts'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
const tokenAccountOf = (wallet: string) =>
  associatedTokenAddress(wallet as Address, TOKEN, TOKEN_PROGRAM)

it('a request for an earlier payee names all earlier payees and no decoys', async () => {
  const one = { payments: 60, payees: 'regular', seed: SEED } as const
  const { transfers, node, recipients } = await liveThrough('decoys', one)
  await recipients.learn(new AbortController().signal)
  const payees = new Set<string>(transfers.map(({ payee }) => payee))
  for (const payee of [...payees]) payees.add(await tokenAccountOf(payee))
  const quote = async (payee: Address, mint: Address) => {
    const known = await recipients.known(mint, payee)
    return known ?? (await recipients.read(mint, payee))
  }
  const deliver = (payee: Address, mint: Address) => recipients.read(mint, payee)
  for (const look of [quote, deliver]) {
    for (const mint of [NATIVE_MINT, TOKEN]) {
      // After this time, the last reading is too old for a quote.
      node.nowSeconds += 100
      const from = node.seen.length
      await Promise.all(transfers.map(({ payee }) => look(payee, mint)))
      const requests = node.seen.slice(from).map(({ named }) => new Set(named))
      expect(requests).toEqual([payees])
    }
  }
})

it('a request for a new recipient names the same number of holders in every asset', async () => {
  const { node, recipients } = await liveThrough('decoys', {
    ...{ payments: 60, payees: 'many', seed: SEED },
  })
  const recipient = 'SysvarRent111111111111111111111111111111111' as Address
  for (const mint of [NATIVE_MINT, TOKEN]) {
    const from = node.seen.length
    await recipients.read(mint, recipient, 'a partner')
    const named = node.seen.slice(from).flatMap((request) => request.named)
    expect(named).toContain(recipient)
    expect(named.filter((one) => node.holders.has(one))).toHaveLength(DECOYS_OF_KIND)
  }
})

it('not prevented: a node recognises decoys that have accounts by the transactions that it returned', async () => {
  const lived = await liveThrough('decoys', { payments: 60, payees: 'many', seed: SEED })
  expect(leastCrowd(lived)).toBeGreaterThan(DECOYS_OF_KIND)
  expect(leastCrowd(lived, lived.node.shownWallets)).toBe(1)
  // Payees without an account stay hidden, because the node can't distinguish them from decoys without an account.
  const isFresh = ({ payee }: TrueTransfer) => !lived.node.exists(payee)
  const fresh = { ...lived, transfers: lived.transfers.filter(isFresh) }
  expect(leastCrowd(fresh, lived.node.shownWallets)).toBeGreaterThan(DECOYS_OF_KIND)
})

it('a separate node for recipients shows the service no transactions', async () => {
  const lived = await liveThrough('own nodes', { payments: 60, payees: 'many', seed: SEED })
  expect(lived.recipientNode.shownWallets.size).toBe(0)
  expect(lived.node.shownWallets.size).toBeGreaterThan(0)
})
