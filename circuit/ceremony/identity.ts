import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'

/** A participant's Ed25519 signing key. The public half is 32 bytes in hexadecimal. */
export interface Identity {
  publicKey: string
  privateKey: KeyObject
}

/**
 * Reads a participant's signing key, or creates the file (mode 0600) with a new key if it doesn't exist yet.
 *
 * The key only identifies the contributor. Losing it does no harm. With a stolen key, an attacker could contribute in
 * the participant's name, but couldn't forge proofs.
 */
export async function openIdentity(path: string): Promise<Identity> {
  const pem = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  if (pem !== undefined) return toIdentity(createPrivateKey(pem))
  const { privateKey } = generateKeyPairSync('ed25519')
  const made = privateKey.export({ type: 'pkcs8', format: 'pem' })
  await writeFile(path, made, { mode: 0o600, flag: 'wx' })
  return toIdentity(privateKey)
}

function toIdentity(privateKey: KeyObject): Identity {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('An identity is an Ed25519 key.')
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { privateKey, publicKey: Buffer.from(x ?? '', 'base64url').toString('hex') }
}

/** Signs a text, and returns the signature in hexadecimal. */
export function signText({ privateKey }: Identity, text: string): string {
  return sign(null, Buffer.from(text), privateKey).toString('hex')
}

/** True if the owner of `publicKey` signed the text. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'))
}
