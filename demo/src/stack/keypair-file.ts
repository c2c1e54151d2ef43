import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Reads a keypair in the Solana CLI's format. If the file doesn't exist, creates a keypair there that only its owner
 * can read.
 */
export async function keypairFile(path: string): Promise<KeyPairSigner> {
  const existing = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw new Error(`the keypair file ${path} can't be read`, { cause })
  })
  if (existing !== undefined) {
    return createKeyPairSignerFromBytes(new Uint8Array(JSON.parse(existing) as number[]))
  }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const shown = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const bytes = new Uint8Array([...secret, ...shown])
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, JSON.stringify([...bytes]), { mode: 0o600, flag: 'wx' })
  return createKeyPairSignerFromBytes(bytes)
}
