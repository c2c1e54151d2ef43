import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/**
 * Hashes of the public powers of tau that a key for real funds may use, by power. The README of snarkjs 0.7.6 lists
 * these BLAKE2b-512 hashes. The files are the prepared files of the perpetual ceremony (54 contributions and a beacon).
 * A hash that appears only in a transcript proves nothing: the ceremony's organiser could have made the file.
 */
export const KNOWN_POWERS: ReadonlyMap<number, string> = new Map([
  [
    14,
    'eeefbcf7c3803b523c94112023c7ff89558f9b8e0cf5d6cdcba3ade60f168af4' +
      'a181c9c21774b94fbae6c90411995f7d854d02ebd93fb66043dbb06f17a831c1',
  ],
  [
    15,
    '982372c867d229c236091f767e703253249a9b432c1710b4f326306bfa2428a1' +
      '7b06240359606cfe4d580b10a5a1f63fbed499527069c18ae17060472969ae6e',
  ],
  [
    16,
    '6a6277a2f74e1073601b4f9fed6e1e55226917efb0f0db8a07d98ab01df1ccf4' +
      '3eb0e8c3159432acd4960e2f29fe84a4198501fa54c8dad9e43297453efec125',
  ],
])

/**
 * Checks a file against its published hash. The hash is SHA-256 (64 digits), or BLAKE2b-512 (128 digits) for the public
 * powers of tau that snarkjs lists.
 *
 * @throws Error if the file has another hash.
 */
export async function assertPublishedHash(path: string, hash: string): Promise<void> {
  const algorithm = hash.length === 64 ? 'sha256' : 'blake2b512'
  const found = createHash(algorithm)
    .update(await readFile(path))
    .digest('hex')
  if (found !== hash) throw new Error('The powers of tau are not the file with the published hash.')
}
