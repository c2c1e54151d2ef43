import type { Address } from '@solana/kit'
import { getAddressDecoder } from '@solana/kit'
import { FeatureSet } from 'litesvm'
import type { Runtime } from './runtime.ts'

const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111' as Address

/**
 * Layout of a feature's account (solana-feature-gate-interface): one byte, 1 if active, then the activation slot as
 * u64.
 */
const DATA_BYTES = 9
const ACTIVE = 1
/** The rent minimum of an account with `DATA_BYTES` of data, in lamports. */
const LAMPORTS = 953_520n

/**
 * Writes the accounts of all active features, as on a cluster that started with these features. Clients read these
 * accounts to check whether a feature is active.
 */
export function writeFeatures(runtime: Runtime): void {
  const decoder = getAddressDecoder()
  const data = new Uint8Array(DATA_BYTES)
  data[0] = ACTIVE
  // By default, LiteSVM activates all features of this set.
  for (const id of FeatureSet.allEnabled().getActiveFeatures()) {
    const account = { lamports: LAMPORTS, owner: FEATURE_PROGRAM, executable: false, data }
    runtime.writeAccount(decoder.decode(id), account)
  }
}
