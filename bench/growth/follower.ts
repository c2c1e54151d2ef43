import { wasmPoseidon } from '@sotto/poseidon'
import { fieldFromBytes, MerkleTree, unixSeconds } from '@sotto/protocol'
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/adapters/clock/system-clock.ts'
import { openFileSecrets } from '../../packages/server/src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../packages/server/src/adapters/random/system-random.ts'
import { openPostgres } from '../../packages/server/src/adapters/store/postgres.ts'
import { loadTree } from '../../packages/server/src/adapters/tree/load-tree.ts'
import { createSettlementStore } from '../../packages/server/src/adapters/store/settlement/settlement-store.ts'
import { decodeTrackingId } from '../../packages/server/src/domain/tracking-id.ts'
import { Cooldown } from '../../packages/server/src/running/cooldown.ts'
import { followChain } from '../../packages/server/src/settlement/follow/follow-chain.ts'
import { VerifiedTree } from '../../packages/server/src/settlement/follow/verified-tree.ts'
import { NextDeposit } from './next-deposit.ts'

const THREADS = 2

/** A worker's chain follower. It has a database and the complete tree of the database's leaves. */
export interface Follower {
  /** Milliseconds for reading an order's deposit from the chain and recording it. */
  readonly record: (trackingId: string) => Promise<number>
  /** Milliseconds for a poll of the chain that finds nothing new. */
  readonly look: () => Promise<number>
  readonly close: () => Promise<void>
}

export interface FollowerOptions {
  readonly databaseUrl: string
  /** The service's folder of keys. */
  readonly keys: string
  readonly program: string
  readonly domain: Uint8Array
  readonly leaves: number
}

/** Opens a follower whose tree has all seeded leaves. */
export async function openFollower(options: FollowerOptions): Promise<Follower> {
  const database = openPostgres(options.databaseUrl)
  const secrets = openFileSecrets(join(options.keys), systemRandom)
  const store = createSettlementStore(database, secrets)
  await store.openCursor(options.program as never, options.domain, systemClock.nowMs())
  const tree = new VerifiedTree(
    wasmPoseidon,
    await loadTree(store.readLeaves, new MerkleTree(wasmPoseidon), THREADS),
  )
  if (tree.size !== options.leaves) throw new Error('the tree lacks leaves')
  const { slot } = await store.readCursor()
  const seconds = BigInt(Math.floor(systemClock.nowMs() / 1_000))
  const nextLeaf = BigInt(options.leaves)
  const chain = new NextDeposit(tree, {
    slot,
    blockHeight: slot,
    unixSeconds: unixSeconds(seconds),
    nextLeaf,
  })
  const unexpected = (what: string) => {
    throw new Error(`following the chain: ${what}`)
  }
  const dependencies = {
    ...{ chain, store, secrets, poseidon: wasmPoseidon, clock: systemClock, random: systemRandom },
    ...{ published: [], pool: { domain: options.domain } },
    delayLaw: { meanSeconds: 300, spreadSeconds: 1_800 },
    undecided: new Cooldown(0),
    log: { alert: unexpected, failed: (step: string) => unexpected(step), event: () => undefined },
  }
  const step = async (isNew: boolean) => {
    const startedMs = performance.now()
    const followed = await followChain(dependencies, tree)
    const tookMs = performance.now() - startedMs
    if ((followed === 'deposits') !== isNew) {
      throw new Error(isNew ? 'the deposit was not recorded' : 'an unexpected deposit was recorded')
    }
    return tookMs
  }
  // The first poll isn't measured, because it also checks the whole tree against the chain's root.
  await step(false)
  return {
    record: async (trackingId) => {
      const id = decodeTrackingId(trackingId)
      const [row] = await database.query<{ leaf: Uint8Array }>(
        'SELECT leaf FROM orders WHERE id = $1',
        [id],
      )
      if (row === undefined) throw new Error('an order is missing')
      chain.land(fieldFromBytes(new Uint8Array(row.leaf)))
      return step(true)
    },
    look: () => {
      chain.pass()
      return step(false)
    },
    close: () => database.close(),
  }
}
