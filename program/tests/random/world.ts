import { createHash } from 'node:crypto'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  isSignerRole,
  isWritableRole,
  lamports,
  type Address,
  type EncodedAccount,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import {
  assetAddress,
  associatedTokenAddress,
  NATIVE_MINT,
  poolAddress,
  vaultAddress,
} from '@sotto/protocol'
import { readFileSync } from 'node:fs'
import { makeAuthoriser, type Authoriser } from '../fixtures/authoriser.ts'
import { Chain, type Outcome } from '../fixtures/chain.ts'
import {
  addAsset,
  DOMAIN,
  expectLanded,
  initializePool,
  makeTreeAccount,
  START,
  type PoolFixture,
} from '../fixtures/pool.ts'
import { giveTokens, makeMint, putTokenProgramAccount } from '../fixtures/token-accounts.ts'

/** No sequence can spend this many base units. */
const PLENTY = 50_000_000_000_000n
/** Lamports that are enough for an account to exist, but too few for an Order's rent. */
const PITTANCE = 1_000_000n

/**
 * A key that depends only on its label. So the addresses in the recorded proofs stay the same even if a fixture draws
 * more keys.
 */
export function keyOf(label: string): Promise<KeyPairSigner> {
  const seed = createHash('sha256').update(`random sequences: ${label}`).digest()
  return createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(seed))
}

/** All actors. Each wallet except the poor wallet has plenty of both assets. */
export interface Actors {
  /** Pays every transaction's fee and does nothing else. So no fee changes another balance. */
  readonly feePayer: KeyPairSigner
  readonly admins: readonly [KeyPairSigner, KeyPairSigner]
  readonly senders: readonly KeyPairSigner[]
  readonly poor: KeyPairSigner
  readonly relayer: KeyPairSigner
  readonly thief: KeyPairSigner
  readonly partner: KeyPairSigner
  /**
   * The first key is the pool's authoriser at the start. The second key may become an authoriser. The third key belongs
   * to a stranger.
   */
  readonly authorisers: readonly [Authoriser, Authoriser, Authoriser]
}

/** A pool whose state can be restored, so that many sequences can use one chain. */
export class World {
  readonly fixture: PoolFixture
  readonly actors: Actors
  readonly mints: readonly [Address, Address]
  readonly assets: readonly [Address, Address]
  readonly vaults: readonly [Address, Address]
  readonly #before = new Map<Address, EncodedAccount | undefined>()
  readonly #touched = new Set<Address>()
  #isRecording = false
  #time = 0n

  private constructor(fixture: PoolFixture, actors: Actors, places: readonly Address[]) {
    const [assetA, assetB, vaultA, vaultB] = places as [Address, Address, Address, Address]
    this.fixture = fixture
    this.actors = actors
    this.mints = [NATIVE_MINT, fixture.token]
    this.assets = [assetA, assetB]
    this.vaults = [vaultA, vaultB]
  }

  /**
   * A new pool with both assets. `SOTTO_PROGRAM_FILE` may name a faulty build of the program, to show that the tests
   * find the faults.
   */
  static async start(): Promise<World> {
    const chain = await Chain.start(START)
    const file = process.env['SOTTO_PROGRAM_FILE']
    if (file !== undefined) {
      chain.svm.addProgram(chain.program, new Uint8Array(readFileSync(file)))
      await chain.setUpgradeAuthority(chain.upgradeAuthority.address)
    }
    const token = (await keyOf('mint')).address
    putTokenProgramAccount(chain, token, chain.data(await makeMint(chain)) ?? new Uint8Array())
    const actors = await makeActors(chain, token)
    const [admin] = actors.admins
    const { tree, instruction } = await makeTreeAccount(chain, admin)
    const initialize = await initializePool(chain, admin, tree.address)
    const signers = [actors.feePayer, admin, tree, chain.upgradeAuthority]
    expectLanded(await chain.send(signers, [instruction, initialize]))
    const fixture: PoolFixture = {
      chain,
      admin,
      authoriser: actors.authorisers[0],
      domain: DOMAIN,
      pool: await poolAddress(chain.program),
      tree: tree.address,
      token,
      adminToken: await associatedTokenAddress(admin.address, token),
    }
    await addAsset(fixture, NATIVE_MINT)
    await addAsset(fixture, token)
    const mints = [NATIVE_MINT, token]
    const assets = await Promise.all(mints.map((mint) => assetAddress(chain.program, mint)))
    const vaults = await Promise.all(mints.map((mint) => vaultAddress(chain.program, mint)))
    return new World(fixture, actors, [...assets, ...vaults])
  }

  /**
   * The account in which a wallet has an asset: the wallet itself for SOL, its associated token account for the token.
   */
  async pocket(wallet: Address, asset: 0 | 1): Promise<Address> {
    return asset === 0 ? wallet : associatedTokenAddress(wallet, this.mints[1])
  }

  /** Saves the current state as the state that `reset` restores. */
  keep(): void {
    this.#isRecording = true
    this.#time = this.fixture.chain.time
  }

  /** Restores every account and the clock to the state that `keep` saved. */
  reset(): void {
    const { svm } = this.fixture.chain
    for (const address of this.#touched) {
      const before = this.#before.get(address)
      const now = svm.getAccount(address)
      if (before !== undefined) svm.setAccount(before)
      else if (now.exists) svm.setAccount({ ...now, lamports: lamports(0n) })
    }
    this.#touched.clear()
    this.fixture.chain.setTime(this.#time)
  }

  /** Sends a transaction. `feePayer` pays its fee, which changes no balance in the model. */
  async send(
    signers: readonly KeyPairSigner[],
    instructions: readonly Instruction[],
  ): Promise<Outcome> {
    if (this.#isRecording) for (const one of instructions) this.#record(one)
    return this.fixture.chain.send([this.actors.feePayer, ...signers], [...instructions])
  }

  /** Number of bytes of the transaction that `send` would send. */
  sizeOf(signers: readonly KeyPairSigner[], instructions: readonly Instruction[]): Promise<number> {
    return this.fixture.chain.sizeOf([this.actors.feePayer, ...signers], [...instructions])
  }

  #record(instruction: Instruction): void {
    for (const { address, role } of instruction.accounts ?? []) {
      if (!isWritableRole(role) && !isSignerRole(role)) continue
      this.#touched.add(address)
      if (this.#before.has(address)) continue
      const account = this.fixture.chain.svm.getAccount(address)
      this.#before.set(address, account.exists ? account : undefined)
    }
  }
}

async function makeActors(chain: Chain, token: Address): Promise<Actors> {
  const wealthy = async (label: string) => {
    const wallet = await keyOf(label)
    chain.fund(wallet.address, PLENTY)
    await giveTokens(chain, token, wallet.address, PLENTY)
    return wallet
  }
  const poor = await keyOf('poor')
  chain.fund(poor.address, PITTANCE)
  await giveTokens(chain, token, poor.address, 0n)
  return {
    feePayer: await wealthy('fee payer'),
    admins: [await wealthy('admin'), await wealthy('second admin')],
    senders: await Promise.all([0, 1, 2].map((index) => wealthy(`sender ${index}`))),
    poor,
    relayer: await wealthy('relayer'),
    thief: await wealthy('thief'),
    partner: await wealthy('partner'),
    authorisers: [makeAuthoriser(1), makeAuthoriser(2), makeAuthoriser(3)],
  }
}
