import type { Address } from '@solana/kit'
import {
  CHECKPOINTS,
  fieldToBytes,
  MAX_DEPOSIT_SECONDS,
  MerkleTree,
  nullifierAddress,
  settleInstruction,
} from '@sotto/protocol'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { depositPair } from '../fixtures/deposits.ts'
import {
  DEPOSIT_MAX,
  expectLanded,
  START,
  stock,
  SWAP_CAP,
  SWAP_PERIOD_SECONDS,
} from '../fixtures/pool.ts'
import { tokenBalance } from '../fixtures/token-accounts.ts'
import { depositAttemptOf, sentOf } from './deposit-attempt.ts'
import { emptyHistory } from './history.ts'
import { emptyAsset, emptyRings, type AssetModel, type Model } from './model.ts'
import { readProofs, treeOf, type RecordedProof } from './recorded-proofs.ts'
import { SNAPSHOT_NOTES, snapshotOrder, type SnapshotOrder } from './snapshot-orders.ts'
import type { PreparedSettlement, Snapshot } from './snapshot-shape.ts'
import { World } from './world.ts'

const INVENTORY = 20_000_000_000n

/** Creates the pool and deposits the notes, both in the model and on the chain. */
export async function takeSnapshot(): Promise<Snapshot> {
  const world = await World.start()
  const indexes = Array.from({ length: SNAPSHOT_NOTES }, (_, index) => index)
  const orders: SnapshotOrder[] = []
  for (const index of indexes) orders.push(await snapshotOrder(world, index))
  const { root } = treeOf(orders)
  for (const mint of world.mints) await stock(world.fixture, mint, INVENTORY)
  const model = await stockedModel(world, orders)
  const history = emptyHistory()
  const snapshot = {
    world,
    orders,
    settlements: await prepareSettlements(world, orders, root),
    checkpoint: Number((START / 3_600n) % BigInt(CHECKPOINTS)),
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

/** A model of the pool before the first deposit, with inventory. */
async function stockedModel(world: World, orders: readonly SnapshotOrder[]): Promise<Model> {
  const { actors, fixture, vaults } = world
  const { chain } = fixture
  const named = [...actors.admins, ...actors.senders, actors.poor, actors.relayer]
  const wallets = [...named, actors.thief, actors.partner].map(({ address }) => address)
  const recipients = orders.map(({ recipient }) => recipient)
  const money = new Map<Address, bigint>()
  for (const wallet of [...wallets, ...recipients]) {
    const pocket = await world.pocket(wallet, 1)
    money.set(wallet, chain.balance(wallet))
    money.set(pocket, tokenBalance(chain, pocket))
  }
  // The model leaves the rent out of a vault's balance.
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
  orders: readonly SnapshotOrder[],
  root: bigint,
): Promise<PreparedSettlement[]> {
  const proofs = readProofs(root, orders.length)
  const accounts = new Map<bigint, Address>()
  for (const { nullifier } of proofs.map(({ settlement }) => settlement)) {
    if (accounts.has(nullifier)) continue
    accounts.set(nullifier, await nullifierAddress(world.fixture.chain.program, nullifier))
  }
  const prepared: PreparedSettlement[] = []
  for (const [index, proof] of proofs.entries()) {
    // A proof for another note. A forger would copy values from this proof.
    const other = proofs.slice(index).find(({ note }) => note !== proof.note) ?? proofs[0]
    if (other === undefined) throw new Error('no proofs are recorded')
    const known = { root: fieldToBytes(root), accounts, other }
    prepared.push(await prepare(world, orders, known, proof))
  }
  return prepared
}

async function prepare(
  world: World,
  orders: readonly SnapshotOrder[],
  known: { root: Uint8Array; accounts: ReadonlyMap<bigint, Address>; other: RecordedProof },
  { note: index, settlement }: RecordedProof,
): Promise<PreparedSettlement> {
  const { note } = orders[index] as SnapshotOrder
  const { relayer, thief } = world.actors
  const asset = note.mint === world.mints[0] ? 0 : 1
  const { chain, tree } = world.fixture
  const at = { program: chain.program, tree, payer: relayer.address }
  const { nullifier, changeLeaf } = known.other.settlement
  return {
    note: index,
    asset,
    settlement,
    instruction: await settleInstruction(at, note.mint, settlement),
    expiry: note.expiry,
    nullifierAccount: known.accounts.get(settlement.nullifier) as Address,
    pocket: await world.pocket(settlement.payee, asset),
    root: known.root,
    another: {
      nullifier,
      nullifierAccount: known.accounts.get(nullifier) as Address,
      changeLeaf,
      thief: thief.address,
      thiefPocket: await world.pocket(thief.address, asset),
    },
  }
}
