import { addressFromBytes } from '@sotto/protocol'
import { generateKeyPairSigner } from '@solana/kit'

export const THIEF_SIGNER = await generateKeyPairSigner()
export const THIEF = THIEF_SIGNER.address
/** An account of the thief, used as a token account, a mint or a vault. */
export const THIEF_ACCOUNT = addressFromBytes(new Uint8Array(32).fill(9))
