import { getBase58Encoder } from '@solana/kit'
import { CLOSE_DELAY_SECONDS, unixSeconds, type Address } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { closableLister } from './list-closable.ts'

const PROGRAM = 'SysvarRent111111111111111111111111111111111' as Address
const LARGE = 1_000_000n
const DAY = 86_400n

interface Held {
  readonly pubkey: string
  readonly account: {
    readonly owner: string
    readonly data: readonly [string, 'base64']
    readonly lamports: bigint
  }
}

function accountOf(pubkey: string, data: Buffer): Held {
  const text = [data.toString('base64'), 'base64'] as const
  return { pubkey, account: { owner: PROGRAM, data: text, lamports: 1n } }
}

function nullifierAt(closableAt: bigint): Held {
  const data = Buffer.alloc(40, 1)
  data[0] = 5
  data.writeUInt32LE(Number(closableAt), 4)
  return accountOf(`nullifier ${closableAt}`, data)
}

function orderAt(deadline: bigint): Held {
  const data = Buffer.alloc(56, 1)
  data[0] = 4
  data.writeBigInt64LE(deadline, 8)
  return accountOf(`order ${deadline}`, data)
}

type Filter =
  | { readonly dataSize: bigint }
  | { readonly memcmp: { readonly offset: bigint; readonly bytes: string } }

/**
 * A node that has these accounts and applies filters like a real node. `sent` has the number of accounts in each
 * answer.
 */
function nodeOf(held: readonly Held[]) {
  const sent: number[] = []
  const passes = ({ account }: Held, filter: Filter): boolean => {
    const data = Buffer.from(account.data[0], 'base64')
    if ('dataSize' in filter) return BigInt(data.length) === filter.dataSize
    const bytes = getBase58Encoder().encode(filter.memcmp.bytes)
    const at = Number(filter.memcmp.offset)
    return data.subarray(at, at + bytes.length).equals(Buffer.from(bytes))
  }
  const getProgramAccounts = (_program: unknown, { filters }: { filters: readonly Filter[] }) => ({
    send: async () => {
      const found = held.filter((one) => filters.every((filter) => passes(one, filter)))
      sent.push(found.length)
      return found
    },
  })
  return { rpc: { getProgramAccounts } as unknown as ChainRpc, sent }
}

const time = fc.bigInt({ min: 1_700_000_000n, max: 1_900_000_000n })

it('lists every account that became closable in the last 18 hours in one call if the pool is large', async () => {
  await fc.assert(
    fc.asyncProperty(time, fc.bigInt({ min: 0n, max: 65_535n }), async (clock, past) => {
      const [nullifier, order] = [nullifierAt(clock - past), orderAt(clock - DAY - past)]
      const { rpc } = nodeOf([nullifier, order, nullifierAt(clock + 1n), orderAt(clock)])
      const list = closableLister(rpc, PROGRAM)
      const found = await list({ unixSeconds: unixSeconds(clock), nextLeaf: LARGE })
      const from = clock - past
      expect(found.map(({ account }) => account).sort()).toEqual(
        [`nullifier ${from}`, `order ${from - CLOSE_DELAY_SECONDS}`].sort(),
      )
    }),
  )
})

it('finds every closable account of the last 90 days within 33 calls if the pool is large', async () => {
  const clock = 1_800_000_123n
  const held = Array.from({ length: 90 }, (_, day) => nullifierAt(clock - BigInt(day) * DAY))
  const open = Array.from({ length: 60 }, (_, day) => nullifierAt(clock + BigInt(day + 1) * DAY))
  const { rpc, sent } = nodeOf([...held, ...open])
  const list = closableLister(rpc, PROGRAM)
  const names = new Set<string>()
  for (let call = 0; call < 33; call += 1) {
    const found = await list({ unixSeconds: unixSeconds(clock), nextLeaf: LARGE })
    for (const { account } of found) names.add(account)
  }
  expect(names).toEqual(new Set(held.map(({ pubkey }) => pubkey)))
  expect(Math.max(...sent)).toBeLessThanOrEqual(2)
})

it('lists all closable accounts with two requests if the pool is small', async () => {
  const clock = 1_800_000_123n
  const held = [nullifierAt(1_500_000_000n), nullifierAt(clock + 1n), orderAt(1_600_000_000n)]
  const { rpc, sent } = nodeOf(held)
  const found = await closableLister(
    rpc,
    PROGRAM,
  )({
    unixSeconds: unixSeconds(clock),
    nextLeaf: 50_000n,
  })
  expect(found.map(({ account }) => account)).toEqual(['order 1600000000', 'nullifier 1500000000'])
  expect(sent).toEqual([1, 2])
})
