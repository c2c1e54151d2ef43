import { createHmac } from 'node:crypto'
import type { KeptSecrets } from '../../ports/secrets.ts'

/** Creates the HMAC of API keys. The pepper is read once and kept. `readPepper` creates the pepper if it is missing. */
export function apiKeyHmac(readPepper: () => Promise<Buffer>): KeptSecrets['apiKeyHmac'] {
  let pepper: Promise<Buffer> | undefined
  return async (secret) => {
    pepper ??= readPepper()
    // The promise of a failed read is dropped. So the next call reads again.
    pepper.catch(() => (pepper = undefined))
    return new Uint8Array(
      createHmac('sha256', await pepper)
        .update(secret)
        .digest(),
    )
  }
}
