import type { Parties } from '../actors/setting.ts'
import type { FakeChain } from '../chain/fake-chain.ts'
import type { FakeSignatures } from '../chain/fake-signatures.ts'
import type { Keystore } from './keystore.ts'
import type { Surroundings } from './life.ts'
import type { Stores } from './stores.ts'

/** The chain, the stores and the parties of a run, and the data that all its processes share. */
export interface Scene extends Surroundings {
  readonly chain: FakeChain
  readonly signatures: FakeSignatures
  readonly memory: Stores
  readonly keystore: Keystore
  readonly parties: Parties
  /**
   * True if a service publishes the tree's leaves. If no service publishes them, leaves that the ring has overwritten
   * can be read only from the chain's history.
   */
  readonly arePublished: boolean
}
