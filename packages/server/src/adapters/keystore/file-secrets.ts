import { parseWhole } from '@sotto/protocol'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, KeptSecrets } from '../../ports/secrets.ts'
import { apiKeyHmac } from './api-key-hmac.ts'
import { keepEpoch, type KeptEpoch } from './epoch-secrets.ts'
import { destroySecretFile, makeSecretFile, readSecretFile } from './secret-file.ts'

const KEY_BYTES = 32
/** Matches an epoch's key file, and its drafts, which `makeSecretFile` leaves if its process is killed. */
const KEY_FILE = /^(0|[1-9][0-9]{0,9})\.key(\.[0-9a-f]{16})?$/

/**
 * Keeps epoch keys in `<folder>/epochs/<n>.key` and the pepper of API keys in `<folder>/pepper`. Only the files' owner
 * can read them. An operator who backs up the folder must also delete the backups of destroyed epoch keys.
 */
export function openFileSecrets(folder: string, random: Random): KeptSecrets {
  const epochs = join(folder, 'epochs')
  const pathOf = (epoch: number) => `${epochs}${sep}${epoch}.key`
  const known = new Map<number, KeptEpoch>()
  const pepper = join(folder, 'pepper')
  // True once this process has had a key of this folder. If the folder then disappears, it isn't mounted any more.
  let isMounted = false

  const forget = (epoch: number): void => {
    known.get(epoch)?.wipe()
    known.delete(epoch)
  }

  const keep = (epoch: number, key: Buffer): EpochSecrets => {
    isMounted = true
    let kept = known.get(epoch)
    // Two reads can run at the same time. Only the first result is kept, because a second copy would never be zeroed.
    if (kept === undefined) known.set(epoch, (kept = keepEpoch(epoch, key, random)))
    else key.fill(0)
    return kept.secrets
  }

  const read = async (epoch: number): Promise<EpochSecrets | undefined> => {
    // Another process may have destroyed the key, so each read checks whether the file exists. A synchronous check
    // takes a tenth of the time of an asynchronous check.
    if (!existsSync(pathOf(epoch))) {
      forget(epoch)
      return undefined
    }
    const cached = known.get(epoch)
    if (cached !== undefined) return cached.secrets
    const key = await readSecretFile(pathOf(epoch), KEY_BYTES)
    return key === undefined ? undefined : keep(epoch, key)
  }

  return {
    read,
    forNewOrder: async (epoch) => {
      const existing = await read(epoch)
      if (existing !== undefined) return existing
      // A second key of the same epoch would seal orders that can't be opened once the folder is mounted again.
      if (isMounted && !existsSync(epochs))
        throw new Error(`the folder of epoch keys ${epochs} has disappeared: mount it again`)
      return keep(epoch, await makeSecretFile(pathOf(epoch), random.bytes(KEY_BYTES), random))
    },
    destroy: async (epoch) => {
      forget(epoch)
      // In a copy of the folder, a draft is a file of its own, so overwriting the key file doesn't overwrite the draft.
      const drafts = (await keyFiles(epochs)).filter((file) => file.epoch === epoch)
      for (const { name } of drafts) await destroySecretFile(join(epochs, name))
      await destroySecretFile(pathOf(epoch))
      // A read that started before the deletion may have cached the key again.
      forget(epoch)
    },
    forgetDestroyed: async () => {
      for (const epoch of known.keys()) if (!existsSync(pathOf(epoch))) forget(epoch)
    },
    // If an epoch's key file is gone but a draft of it is left, the list still has the epoch. So the service destroys
    // the draft too.
    list: async () => {
      const listed = new Set((await keyFiles(epochs)).map(({ epoch }) => epoch))
      return [...listed].sort((left, right) => left - right)
    },
    hasPepper: async () => existsSync(pepper),
    apiKeyHmac: apiKeyHmac(() => readOrMakePepper(pepper, random)),
  }
}

async function readOrMakePepper(path: string, random: Random): Promise<Buffer> {
  return (
    (await readSecretFile(path, KEY_BYTES)) ??
    (await makeSecretFile(path, random.bytes(KEY_BYTES), random))
  )
}

/** Lists the key files in a folder, and their drafts. */
async function keyFiles(
  folder: string,
): Promise<{ readonly name: string; readonly epoch: number }[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return names.flatMap((name) => {
    const [, epoch] = KEY_FILE.exec(name) ?? []
    return epoch === undefined ? [] : { name, epoch: parseWhole(epoch) }
  })
}
