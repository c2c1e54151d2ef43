import { createRequire } from 'node:module'
import type * as Signer from '@zk-kit/eddsa-poseidon'

// Node can't import the package's ES modules, because they use other names than a CommonJS package exports.
const require = createRequire(import.meta.url)

/** EdDSA over BabyJubJub with Poseidon. Vectors and tests compare it with circomlib's verifier. */
export const { derivePublicKey, packPublicKey, signMessage } =
  require('@zk-kit/eddsa-poseidon') as typeof Signer
