import { addressFromBytes } from '@sotto/protocol'
import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Signer } from '../../../src/ports/signer.ts'

/** A wallet, with its keypair in the Solana CLI's format. */
export interface Wallet extends Signer {
  readonly keypair: number[]
}

export function makeWallet(): Wallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const shown = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  return {
    address: addressFromBytes(new Uint8Array(shown)),
    sign: async (message) => new Uint8Array(sign(null, message, privateKey)),
    keypair: [...secret, ...shown],
  }
}

export async function writeKeypair(file: string, wallet: Wallet): Promise<void> {
  await writeFile(file, JSON.stringify(wallet.keypair), { mode: 0o600 })
}
