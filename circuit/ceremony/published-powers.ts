import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/**
 * Checks a file against the hash under which others published it: SHA-256 (64 digits) or, as snarkjs
 * prints it for the public powers of tau, BLAKE2b-512 (128 digits).
 *
 * @throws Error if the file is another one.
 */
export async function assertPublishedHash(path: string, hash: string): Promise<void> {
  const algorithm = hash.length === 64 ? 'sha256' : 'blake2b512'
  const found = createHash(algorithm)
    .update(await readFile(path))
    .digest('hex')
  if (found !== hash) throw new Error('The powers of tau are not the file with the published hash.')
}
