import type { Address } from '@solana/kit'
import {
  amount,
  fieldToBytes,
  MAX_DELIVERY_SECONDS,
  MAX_DEPOSIT_SECONDS,
  MerkleTree,
  nullifierAddress,
  nullifierOf,
  settleInstruction,
  unixSeconds,
  type Settlement,
} from '@sotto/protocol'
import { depositPair, type Order } from '../fixtures/deposits.ts'
import {
  DEPOSIT_MAX,
  expectLanded,
  START,
  stock,
  SWAP_CAP,
  SWAP_PERIOD_SECONDS,
} from '../fixtures/pool.ts'
import { poseidon } from '../fixtures/poseidon.ts'
import { tokenBalance } from '../fixtures/token-accounts.ts'
import { depositAttemptOf, sentOf } from './deposit-attempt.ts'
import { emptyHistory } from './history.ts'
import { emptyAsset, emptyRings, type AssetModel, type Model } from './model.ts'
import { readProofs, treeOf, type RecordedProof } from './recorded-proofs.ts'
import { SNAPSHOT_NOTES, snapshotOrder } from './snapshot-orders.ts'
import type { PreparedSettlement, Snapshot } from './snapshot-shape.ts'
import { World } from './world.ts'

const INVENTORY = 20_000_000_000n

/** Makes the pool and deposits the notes, in the model as on the chain. */
export async function takeSnapshot(): Promise<Snapshot> {
  const world = await World.start()
  const indexes = Array.from({ length: SNAPSHOT_NOTES }, (_, index) => index)
  const orders: Order[] = []
  for (const index of indexes) orders.push(await snapshotOrder(world, index))
  const proved = fieldToBytes(treeOf(orders).root)
  for (const mint of world.mints) await stock(world.fixture, mint, INVENTORY)
  const model = await stockedModel(world, orders)
  const history = emptyHistory()
  const snapshot = {
    world,
    orders,
    settlements: await prepareSettlements(world, orders, proved),
    checkpoint: Number((START / 3_600n) % 1_024n),
    model,
    history,
  }
  for (const order of orders) {
    const { terms, sender } = order
    const source = terms.sourceMint === world.mints[0] ? 0 : 1
    const isSwap = terms.sourceMint !== terms.destinationMint
    const by = { signer: world.fixture.authoriser.address, isSigned: true }
    const sent = await sentOf(world, { source, isSwap }, terms, by)
    const instructions = await depositPair(world.fixture, terms)
    const attempt = depositAttemptOf({ snapshot, model, history }, sent, sender, instructions)
    if (attempt.reasons.size > 0) throw new Error('the model refuses a deposit of the snapshot')
    expectLanded(await world.send(attempt.signers, attempt.instructions))
    attempt.apply()
    attempt.record?.(history)
    history.swaps = []
  }
  world.keep()
  return snapshot
}

/** The pool with its inventory and without a note. */
async function stockedModel(world: World, orders: readonly Order[]): Promise<Model> {
  const { actors, fixture, vaults } = world
  const { chain } = fixture
  const named = [...actors.admins, ...actors.senders, actors.poor, actors.relayer]
  const wallets = [...named, actors.thief, actors.partner].map(({ address }) => address)
  const recipients = orders.map(({ note }) => note.recipient)
  const money = new Map<Address, bigint>()
  for (const wallet of [...wallets, ...recipients]) {
    const pocket = await world.pocket(wallet, 1)
    money.set(wallet, chain.balance(wallet))
    money.set(pocket, tokenBalance(chain, pocket))
  }
  // What a vault holds beside its own rent.
  for (const vault of vaults) money.set(vault, INVENTORY)
  const assetOf = (): AssetModel => ({
    ...emptyAsset(DEPOSIT_MAX, SWAP_CAP, SWAP_PERIOD_SECONDS),
    inventory: INVENTORY,
  })
  return {
    clock: START,
    admin: fixture.admin.address,
    authorisers: [fixture.authoriser.address, undefined],
    depositsPaused: false,
    maxDepositSeconds: MAX_DEPOSIT_SECONDS,
    maxDeliverySeconds: MAX_DELIVERY_SECONDS,
    assets: [assetOf(), assetOf()],
    tree: new MerkleTree(poseidon),
    lastCheckpointHour: 0n,
    rings: emptyRings(),
    orders: new Map(),
    nullifiers: new Map(),
    money,
  }
}

async function prepareSettlements(
  world: World,
  orders: readonly Order[],
  root: Uint8Array,
): Promise<PreparedSettlement[]> {
  const { chain } = world.fixture
  const nullifiers = orders.map(({ note }, index) => nullifierOf(poseidon, note.nk, BigInt(index)))
  const accounts: Address[] = []
  for (const nullifier of nullifiers)
    accounts.push(await nullifierAddress(chain.program, nullifier))
  const prepared: PreparedSettlement[] = []
  for (const proof of readProofs(treeOf(orders).root)) {
    prepared.push(await prepare(world, orders, { root, nullifiers, accounts }, proof))
  }
  return prepared
}

async function prepare(
  world: World,
  orders: readonly Order[],
  known: { root: Uint8Array; nullifiers: readonly bigint[]; accounts: readonly Address[] },
  { note: index, isRefund, time, proof }: RecordedProof,
): Promise<PreparedSettlement> {
  const { note } = orders[index] as Order
  const { relayer, thief } = world.actors
  const asset = note.mint === world.mints[0] ? 0 : 1
  const settlement: Settlement = {
    isRefund,
    root: { kind: 'recent', index: orders.length - 1 },
    nullifier: known.nullifiers[index] as bigint,
    amount: note.amountOut,
    feeBack: isRefund ? note.feeBack : amount(0n),
    payee: isRefund ? note.sender : note.recipient,
    time: unixSeconds(time),
    proof,
  }
  const { chain, tree } = world.fixture
  const at = { program: chain.program, tree, payer: relayer.address }
  const next = (index + 1) % orders.length
  return {
    note: index,
    asset,
    settlement,
    instruction: await settleInstruction(at, note.mint, settlement),
    expiry: note.expiry,
    nullifierAccount: known.accounts[index] as Address,
    pocket: await world.pocket(settlement.payee, asset),
    root: known.root,
    another: {
      nullifier: known.nullifiers[next] as bigint,
      nullifierAccount: known.accounts[next] as Address,
      thief: thief.address,
      thiefPocket: await world.pocket(thief.address, asset),
    },
  }
}
