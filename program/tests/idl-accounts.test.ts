import fc from 'fast-check'
import { getProgramDerivedAddress, type Address } from '@solana/kit'
import { getValidationItemsVisitor } from '@codama/validators'
import { visit } from '@codama/visitors-core'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  assetAddress,
  bigintFromBytes,
  decodeAsset,
  decodeNullifier,
  decodeOrder,
  decodePool,
  decodeTree,
  fieldToBytes,
  NULLIFIER_SECONDS,
  nullifierAddress,
  orderAddress,
  poolAddress,
  PROGRAM_ERRORS,
  vaultAddress,
} from '@sotto/protocol'
import {
  decodeIdlAccount,
  encodeIdl,
  IDL,
  IDL_ACCOUNTS,
  IDL_INSTRUCTIONS,
  sizeOf,
  tagOf,
  type IdlFields,
} from './fixtures/idl.ts'

const [accounts, instructions] = [IDL_ACCOUNTS, IDL_INSTRUCTIONS]
const { pdas = [], errors = [] } = IDL.program
const source = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../src/${name}`, import.meta.url)), 'utf8')

interface RecentEntry {
  readonly leaf: Uint8Array
  readonly root: Uint8Array
}

/** An account's fields as the client decodes them, under the IDL's names. `data` is the whole account. */
const CLIENT: Readonly<Record<string, (data: Uint8Array, idl: IdlFields) => IdlFields>> = {
  pool: (data) => {
    const { authorisers, depositsPaused, ...pool } = decodePool(data)
    const [authoriser0, authoriser1] = authorisers as [Address, Address]
    const { domain, admin, tree } = pool
    return {
      ...{ domain, admin, tree, authoriser0, authoriser1 },
      depositsPaused: depositsPaused ? 1n : 0n,
      maxDepositSeconds: BigInt(pool.maxDepositSeconds),
    }
  },
  asset: (data) => {
    const { depositsPaused, kind, decimals, vaultBump, assetHash, ...rest } = decodeAsset(data)
    return {
      ...rest,
      depositsPaused: depositsPaused ? 1n : 0n,
      ...{ kind: BigInt(kind), decimals: BigInt(decimals), vaultBump: BigInt(vaultBump) },
      assetHash: new Uint8Array(assetHash),
    }
  },
  order: (data) => ({ ...decodeOrder(data) }),
  nullifier: (data) => {
    const { settledAt, ...nullifier } = decodeNullifier(data)
    expect(settledAt).toBe(nullifier.closableAt - NULLIFIER_SECONDS)
    return nullifier
  },
  tree: (data, idl) => {
    const { nextIndex, lastCheckpointHour, recent, checkpoint } = decodeTree(data)
    for (const [index, entry] of (idl['recent'] as unknown as RecentEntry[]).entries()) {
      const [leaf, root] = [bigintFromBytes(entry.leaf), bigintFromBytes(entry.root)]
      expect(recent(index)).toEqual({ leaf, root })
    }
    for (const [index, bytes] of (idl['checkpoints'] as Uint8Array[]).entries()) {
      expect(checkpoint(index)).toBe(bigintFromBytes(bytes))
    }
    const { recent: entries = [], checkpoints = [] } = idl
    return { nextIndex, lastCheckpointHour, recent: entries, checkpoints }
  },
}

/** Fields that only the program itself reads. */
const UNREAD = new Set(['discriminator', 'bump', 'gap', 'rest', 'leftSiblings'])

const TIMES = new Set(['deadline', 'closableAt', 'swapUpdatedAt'])

test('the IDL is valid by Codama’s own validator', () => {
  const items = visit(IDL, getValidationItemsVisitor())
  expect(items.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
})

for (const node of accounts) {
  test(`the client reads every field of ${node.name} at the IDL’s offset`, () => {
    expect(sizeOf(node.data)).toBe(node.size)
    const read = CLIENT[node.name]
    if (read === undefined) throw new Error('no client code reads this account')
    const kind = accounts.indexOf(node) + 1
    const size = Number(node.size)
    const runs = { numRuns: size > 1_000 ? 3 : 200 }
    fc.assert(
      fc.property(fc.uint8Array({ minLength: size, maxLength: size }), (drawn) => {
        const data = new Uint8Array(drawn)
        data[0] = kind
        // This byte is a flag, so it must be 0 or 1.
        if (node.name === 'pool') data[2] = (data[2] ?? 0) & 1
        if (node.name === 'asset') data[5] = (data[5] ?? 0) & 1
        const idl = decodeIdlAccount(node, data)
        const fields = Object.entries(idl).filter(([name]) => !UNREAD.has(name))
        // From a time below NULLIFIER_SECONDS, the client would compute a time before 1970 and refuse it. The program
        // never writes such a time.
        const times = fields.filter(([name]) => TIMES.has(name)).map(([, time]) => time as bigint)
        fc.pre(times.every((time) => time >= NULLIFIER_SECONDS))
        expect(read(data, idl)).toEqual(Object.fromEntries(fields))
      }),
      runs,
    )
  })
}

test('the IDL has the sizes, discriminators and tags of the Rust source', () => {
  for (const [index, node] of accounts.entries()) {
    const constant = `${node.name.toUpperCase()}_SIZE: usize = `
    const [, written = ''] =
      new RegExp(`${constant}([^;]+);`).exec(source(`state/${node.name}.rs`)) ?? []
    if (/^\d/.test(written))
      expect(BigInt(written.replaceAll('_', ''))).toBe(BigInt(node.size ?? 0))
    const kinds = source('state/mod.rs')
    expect(kinds).toMatch(new RegExp(`${node.name.toUpperCase()}: u8 = ${index + 1};`))
  }
  const arms = [...source('lib.rs').matchAll(/^ {8}(\d+) => (\w+)::process/gm)]
  const camel = (name: string) =>
    name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  const expected = arms.map(([, tag, name = '']) => [camel(name), Number(tag)])
  expect(instructions.map((node) => [node.name, tagOf(node)])).toEqual(expected)
})

test('the errors of the IDL equal the errors of the program', () => {
  const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)
  expect(errors.map(({ code, name, message }) => ({ code, name, message }))).toEqual(
    PROGRAM_ERRORS.map(({ code, name, message }) => ({ code, name: lower(name), message })),
  )
})

test('the derived addresses of the IDL equal the addresses that the client derives', async () => {
  const program = 'Vote111111111111111111111111111111111111111' as Address
  const mint = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
  const orderId = new Uint8Array(16).fill(3)
  const nullifier = 77n
  const values = { mint, orderId, nullifier: fieldToBytes(nullifier) }
  const clients = {
    pool: await poolAddress(program),
    asset: await assetAddress(program, mint),
    vault: await vaultAddress(program, mint),
    order: await orderAddress(program, orderId),
    nullifier: await nullifierAddress(program, nullifier),
  }
  const derive = async (node: (typeof pdas)[number]) => {
    const seeds = (node.seeds ?? []).map((seed) => {
      if (seed.kind === 'variablePdaSeedNode') {
        return encodeIdl(seed.type, values[seed.name as keyof typeof values])
      }
      if (seed.value.kind !== 'stringValueNode') throw new Error('a seed of another kind')
      return seed.value.string
    })
    return (await getProgramDerivedAddress({ programAddress: program, seeds }))[0]
  }
  const found = await Promise.all(
    pdas.map(async (node) => [node.name, await derive(node)] as const),
  )
  expect(Object.fromEntries(found)).toEqual(clients)
})
