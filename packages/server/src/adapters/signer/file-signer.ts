import { addressFromBytes } from '@sotto/protocol'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Signer } from '../../ports/signer.ts'

/** Thrown if a keypair file can't be used. The message contains the reason, but never the file's content. */
export class KeypairFileError extends Error {
  override readonly name = 'KeypairFileError'
}

// In PKCS #8, these bytes precede the 32 secret bytes of an ed25519 key, see RFC 8410.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const OTHERS = 0o077

async function assertPrivate(path: string): Promise<void> {
  const { mode } = await stat(path).catch((cause: unknown) => {
    throw new KeypairFileError(`the keypair file ${path} can't be read`, { cause })
  })
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
    throw new KeypairFileError(`others can read the keypair file ${path}; run: chmod 600 ${path}`)
  }
}

function parseKeypair(path: string, text: string): Buffer {
  let numbers: unknown
  try {
    numbers = JSON.parse(text)
  } catch {
    // The parser's error is dropped, because its message would contain a part of the key.
    throw new KeypairFileError(`the keypair file ${path} isn't JSON`)
  }
  const isByte = (value: unknown) => Number.isInteger(value) && value === ((value as number) & 0xff)
  if (!Array.isArray(numbers) || numbers.length !== 64 || !numbers.every(isByte)) {
    throw new KeypairFileError(`the keypair file ${path} isn't an array of 64 bytes`)
  }
  return Buffer.from(numbers as number[])
}

/**
 * Reads a keypair in the Solana CLI's format: a JSON array of 32 secret bytes and 32 public bytes.
 *
 * @throws KeypairFileError if the file is missing, damaged or readable by others.
 */
export async function readFileSigner(path: string): Promise<Signer> {
  await assertPrivate(path)
  const bytes = parseKeypair(path, await readFile(path, 'utf8'))
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, bytes.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
  const shown = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  if (!shown.equals(bytes.subarray(32))) {
    throw new KeypairFileError(
      `the public half of the keypair file ${path} doesn't belong to its secret half`,
    )
  }
  return {
    address: addressFromBytes(new Uint8Array(shown)),
    sign: async (message) => new Uint8Array(sign(null, message, key)),
  }
}
