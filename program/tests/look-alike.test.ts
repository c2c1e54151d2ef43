import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  getAddressEncoder,
  getProgramDerivedAddress,
  type Address,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { beforeAll, expect, test } from 'vitest'
import {
  amount,
  assetAddress,
  fieldToBytes,
  NATIVE_MINT,
  settlementLayout,
  vaultAddress,
  type Settlement,
} from '@sotto/protocol'
import { leastGross, payoutOf, settleFee } from '../../packages/server/src/domain/fees.ts'
import { depositPair, draftOrder, type Order, type OrderWish } from './fixtures/deposits.ts'
import { gridAfter } from './fixtures/grid.ts'
import { withDataLength, withReadonly } from './fixtures/instruction-edits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { makeOwner } from './fixtures/owners.ts'
import { expectLanded, startPool, stock, type PoolFixture } from './fixtures/pool.ts'
import { makeSettlement } from './fixtures/settlements.ts'
import { differencesOf, shapeOf, type Seen, type Shape } from './fixtures/shapes.ts'
import { giveTokens } from './fixtures/token-accounts.ts'

const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address
const TARIFF = { serviceBps: 40, networkFee: amount(12_345n) }
/** Tag, flags and kind of root of a settlement; tag and flags of a deposit. */
const [SETTLE_FLAGS, DEPOSIT_FLAGS] = [3, 2]
const owner = makeOwner(9)

let fixture: PoolFixture
let ledger: Ledger
let relayer: KeyPairSigner
/** Observations of each kind of settlement, by asset and by whether an account is opened. */
const settlements = new Map<string, Map<string, Seen>>()
/** Observations of deposits into both kinds of note. */
const deposits = new Map<string, Map<string, Seen>>()

/** The number of unsuccessful bump tries for an address. */
async function bumpsOf(programAddress: Address, seeds: (string | Uint8Array)[]): Promise<number> {
  const [, bump] = await getProgramDerivedAddress({ programAddress, seeds })
  return 255 - Number(bump)
}

const encode = (address: Address) => new Uint8Array(getAddressEncoder().encode(address))
const bumpsOfTokens = (wallet: Address, mint: Address) =>
  mint === NATIVE_MINT
    ? Promise.resolve(0)
    : bumpsOf(ASSOCIATED_TOKEN_PROGRAM, [
        encode(wallet),
        encode(TOKEN_PROGRAM_ADDRESS),
        encode(mint),
      ])

async function sharedOf(mint: Address): Promise<ReadonlySet<Address>> {
  const { chain, pool, tree } = fixture
  const own = [await assetAddress(chain.program, mint), await vaultAddress(chain.program, mint)]
  const programs = ['11111111111111111111111111111111' as Address, TOKEN_PROGRAM_ADDRESS]
  const sysvar = 'Sysvar1nstructions1111111111111111111111111' as Address
  return new Set([pool, tree, ...own, ...programs, sysvar, mint, relayer.address])
}

const note = (all: Map<string, Map<string, Seen>>, group: string, kind: string, seen: Seen) =>
  all.set(group, (all.get(group) ?? new Map<string, Seen>()).set(kind, seen))

/** Deposits and records the observation. */
async function deposit(kind: string, wish: OrderWish): Promise<Order> {
  const { chain } = fixture
  const order = await draftOrder(fixture, wish)
  const instructions = await depositPair(fixture, order.terms)
  const outcome = expectLanded(await chain.send([order.sender], instructions))
  ledger.append(order)
  const shared = await sharedOf(wish.sourceMint)
  const bumps = await bumpsOf(chain.program, ['order', order.terms.orderId])
  note(deposits, kind, wish.owner === undefined ? 'transfer' : 'top-up', {
    ...{ instructions, outcome, shared, bumps, flagBytes: DEPOSIT_FLAGS },
  })
  return order
}

/** Sends a settlement as every settlement is sent, and returns the observation. */
async function send(settlement: Settlement, mint: Address, opensAccount: boolean): Promise<Seen> {
  const { chain, tree } = fixture
  const { payee, nullifier, payout, fee } = settlement
  if (mint !== NATIVE_MINT && !opensAccount) await giveTokens(chain, mint, payee, 0n)
  const at = { program: chain.program, tree, payer: relayer.address }
  const instructions = await settlementLayout(at, mint, settlement, 1n, opensAccount)
  const outcome = expectLanded(await chain.send([relayer], instructions))
  ledger.appendLeaf(settlement.changeLeaf)
  const own = await bumpsOf(chain.program, ['nullifier', fieldToBytes(nullifier)])
  // If a transaction opens an account, the program that opens it also searches for its address.
  const bumps = own + (opensAccount ? 2 : 1) * (await bumpsOfTokens(payee, mint))
  const isFeeOfTariff = fee === settleFee(payout + fee, TARIFF)
  const shared = await sharedOf(mint)
  return { instructions, outcome, shared, bumps, flagBytes: SETTLE_FLAGS, isFeeOfTariff }
}

/** Settles a note, and records the observation. */
async function settle(kind: string, mint: Address, made: Settlement, opensAccount: boolean) {
  const seen = await send(made, mint, opensAccount)
  const group = mint === NATIVE_MINT ? 'SOL' : opensAccount ? 'tokens, opening' : 'tokens'
  note(settlements, group, kind, seen)
}

/** An order whose note has this value, including the fee by the tariff. */
const ofValue = (sourceMint: Address, value: bigint): OrderWish => ({
  sourceMint,
  amountOut: payoutOf(value, TARIFF),
  fee: settleFee(value, TARIFF),
})

async function transfer(kind: string, wish: OrderWish, group: string, opens = false) {
  const order = await deposit(group, wish)
  const time = gridAfter(fixture.chain.time)
  const made = await makeSettlement(ledger, order, ledger.tree.size - 1, { time })
  await settle(kind, order.note.mint, made, opens)
}

/** Tops up a balance, and pays `gross` out of it. */
async function payment(kind: string, wish: OrderWish, gross: bigint, opens = false) {
  const order = await deposit(wish.sourceMint, { ...wish, owner })
  const payee = (await fixture.chain.wallet()).address
  const made = await makeSettlement(ledger, order, ledger.tree.size - 1, {
    time: gridAfter(fixture.chain.time),
    payment: { payee, payout: payoutOf(gross, TARIFF), fee: settleFee(gross, TARIFF) },
  })
  await settle(kind, order.note.mint, made, opens)
}

/** Makes every kind of settlement that pays one asset, with round and with odd amounts. */
async function settleEveryKind(mint: Address, other: Address): Promise<void> {
  const { chain } = fixture
  const wallet = (await chain.wallet()).address
  const partnerAccount = mint === NATIVE_MINT ? wallet : await giveTokens(chain, mint, wallet, 0n)
  const value = 900_000_000n
  const round = leastGross(amount(500_000_000n), TARIFF)
  await transfer('exact_in', ofValue(mint, 1_000_000_000n), mint)
  await transfer('exact_out', ofValue(mint, round), mint)
  const shared = { ...ofValue(mint, value), partnerFee: 5_000n, partnerAccount }
  await transfer('with a partner', shared, `${mint} with a partner`)
  const swap = { ...ofValue(other, value), destinationMint: mint, amountIn: 7_000_000n }
  await transfer('swap', swap, `swap to ${mint}`)
  await payment('balance with change', ofValue(mint, value), 300_000_000n)
  await payment('balance without change', ofValue(mint, value), value)
}

beforeAll(async () => {
  fixture = await startPool()
  ledger = new Ledger()
  relayer = await fixture.chain.wallet()
  const { token } = fixture
  for (const mint of [NATIVE_MINT, token]) await stock(fixture, mint, 2_000_000_000n)
  await settleEveryKind(NATIVE_MINT, token)
  await settleEveryKind(token, NATIVE_MINT)
  await transfer('exact_in', ofValue(token, 900_000_000n), token, true)
  await payment('balance with change', ofValue(token, 900_000_000n), 300_000_000n, true)
})

/** For each pair in a group, the aspects in which the two differ. */
function tellingApart(group: ReadonlyMap<string, Seen> | undefined) {
  const shapes = [...(group ?? new Map<string, Seen>())].map(([kind, seen]) => ({
    kind,
    shape: shapeOf(seen),
  }))
  return shapes.flatMap(({ kind, shape }, index) =>
    shapes.slice(index + 1).flatMap((other) => {
      const found = differencesOf(shape, other.shape)
      return found.length > 0 ? [{ kinds: [kind, other.kind], found }] : []
    }),
  )
}

test('a settlement reveals neither what its note was nor how its order was made', () => {
  expect([...settlements.keys()].sort()).toEqual(['SOL', 'tokens', 'tokens, opening'])
  for (const group of ['SOL', 'tokens']) expect(settlements.get(group)?.size).toBe(6)
  for (const group of settlements.values()) expect(tellingApart(group)).toEqual([])
})

test('a top-up is deposited like a transfer', () => {
  for (const mint of [NATIVE_MINT, fixture.token]) {
    expect([...(deposits.get(mint)?.keys() ?? [])].sort()).toEqual(['top-up', 'transfer'])
    expect(tellingApart(deposits.get(mint))).toEqual([])
  }
})

test('a settlement that opens an account shows that, whatever kind of note pays', () => {
  const [plain, opening] = ['tokens', 'tokens, opening'].map((group) =>
    settlements.get(group)?.get('exact_in'),
  )
  const found = differencesOf(shapeOf(plain!), shapeOf(opening!))
  expect(found).toEqual(expect.arrayContaining(['order', 'accounts', 'dataLengths', 'logs']))
})

/** One change to an observation for each aspect. The change must be found in that aspect. */
const PLANTED: Readonly<Record<keyof Shape, (seen: Seen) => Seen>> = {
  order: (seen) => withInstructions(seen, (all) => all.toReversed()),
  accounts: (seen) => withInstructions(seen, (all) => all.with(-1, withReadonly(all.at(-1)!, 2))),
  dataLengths: (seen) =>
    withInstructions(seen, (all) => all.with(-1, withDataLength(all.at(-1)!, 1))),
  budget: (seen) =>
    withInstructions(seen, (all) =>
      all.with(0, { ...all[0]!, data: Uint8Array.of(2, 1, 2, 3, 4) }),
    ),
  flags: (seen) =>
    withInstructions(seen, (all) => {
      const data = new Uint8Array(all.at(-1)?.data ?? [])
      data[1] = 1
      return all.with(-1, { ...all.at(-1)!, data })
    }),
  isFeeOfTariff: (seen) => ({ ...seen, isFeeOfTariff: false }),
  logs: (seen) => withOutcome(seen, { logs: [...seen.outcome.logs, 'Program log: balance'] }),
  unitsClass: (seen) => withOutcome(seen, { computeUnits: seen.outcome.computeUnits + 3_000n }),
}

const withInstructions = (seen: Seen, edit: (all: readonly Instruction[]) => Instruction[]) => ({
  ...seen,
  instructions: edit(seen.instructions),
})
const withOutcome = (seen: Seen, change: Partial<Seen['outcome']>) => ({
  ...seen,
  outcome: { ...seen.outcome, ...change },
})

test.each(Object.entries(PLANTED))('a difference in %s would be found', (aspect, plant) => {
  const seen = settlements.get('SOL')?.get('exact_in')
  if (seen === undefined) throw new Error('nothing was settled')
  expect(differencesOf(shapeOf(seen), shapeOf(plant(seen)))).toContain(aspect)
})

test('a payment whose fee differs from the tariff’s is recognisable', async () => {
  const value = 900_000_000n
  const order = await deposit(NATIVE_MINT, { ...ofValue(NATIVE_MINT, value), owner })
  const made = await makeSettlement(ledger, order, ledger.tree.size - 1, {
    time: gridAfter(fixture.chain.time),
    payment: { payee: relayer.address, payout: value, fee: 0n },
  })
  const before = settlements.get('SOL')?.get('exact_in')
  const seen = await send(made, NATIVE_MINT, false)
  expect(differencesOf(shapeOf(before!), shapeOf(seen))).toContain('isFeeOfTariff')
})

test('a refund is recognisable as one, and pays no fee', async () => {
  const order = await deposit(NATIVE_MINT, ofValue(NATIVE_MINT, 900_000_000n))
  const time = order.note.expiry + 600n
  fixture.chain.setTime(time)
  const wish = { isRefund: true, time }
  const made = await makeSettlement(ledger, order, ledger.tree.size - 1, wish)
  const before = settlements.get('SOL')?.get('exact_in')
  const seen = await send(made, NATIVE_MINT, false)
  const found = differencesOf(shapeOf(before!), shapeOf(seen))
  expect(found).toEqual(['flags', 'isFeeOfTariff', 'logs'])
})
