import { createRequire } from 'node:module'
import type * as Signer from '@zk-kit/eddsa-poseidon'

// The package is loaded with `require`, because Node can't import its ES modules: they import names that a CommonJS
// dependency doesn't export.
const require = createRequire(import.meta.url)

/** EdDSA over BabyJubJub with Poseidon. Vectors and tests compare this implementation with circomlib's verifier. */
export const { derivePublicKey, packPublicKey, signMessage } =
  require('@zk-kit/eddsa-poseidon') as typeof Signer
