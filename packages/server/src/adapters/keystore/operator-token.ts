import { join } from 'node:path'
import type { Random } from '../../ports/random.ts'
import { makeSecretFile, readSecretFile } from './secret-file.ts'

const BYTES = 32

/**
 * Reads the token of the operator's endpoint from `operator-token` in the keystore. Creates the token if it is missing.
 */
export async function readOperatorToken(folder: string, random: Random): Promise<string> {
  const path = join(folder, 'operator-token')
  const found = await readSecretFile(path, 2 * BYTES)
  if (found !== undefined) return found.toString('ascii')
  const fresh = Buffer.from(Buffer.from(random.bytes(BYTES)).toString('hex'), 'ascii')
  return (await makeSecretFile(path, fresh, random)).toString('ascii')
}
