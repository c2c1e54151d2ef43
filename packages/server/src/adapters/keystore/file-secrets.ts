import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import { epochSecrets } from './epoch-secrets.ts'
import { destroySecretFile, makeSecretFile, readSecretFile } from './secret-file.ts'

const KEY_BYTES = 32
const KEY_FILE = /^(0|[1-9][0-9]{0,9})\.key$/

/**
 * Keeps epoch keys in `<folder>/epochs/<n>.key` and the pepper of API keys in `<folder>/pepper`, each
 * readable by its owner only. Whoever backs the folder up must let backups of epoch keys die too.
 */
export function openFileSecrets(folder: string, random: Random): Secrets {
  const epochs = join(folder, 'epochs')
  const pathOf = (epoch: number) => `${epochs}${sep}${epoch}.key`
  const known = new Map<number, EpochSecrets>()
  let pepper: Promise<Buffer> | undefined

  const read = async (epoch: number): Promise<EpochSecrets | undefined> => {
    // Looked for each time: another process may have destroyed it. Asking on the spot takes a tenth of
    // what handing the question to another thread does.
    if (!existsSync(pathOf(epoch))) {
      known.delete(epoch)
      return undefined
    }
    const cached = known.get(epoch)
    if (cached !== undefined) return cached
    const key = await readSecretFile(pathOf(epoch), KEY_BYTES)
    if (key === undefined) return undefined
    const secrets = epochSecrets(epoch, key, random)
    known.set(epoch, secrets)
    return secrets
  }

  return {
    read,
    forNewOrder: async (epoch) => {
      const existing = await read(epoch)
      if (existing !== undefined) return existing
      const key = await makeSecretFile(pathOf(epoch), random.bytes(KEY_BYTES))
      const secrets = epochSecrets(epoch, key, random)
      known.set(epoch, secrets)
      return secrets
    },
    destroy: async (epoch) => {
      known.delete(epoch)
      await destroySecretFile(pathOf(epoch))
    },
    list: async () => {
      const names = await readdir(epochs).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
        throw error
      })
      return names
        .flatMap((name) => KEY_FILE.exec(name)?.[1] ?? [])
        .map((digits) => JSON.parse(digits) as number)
        .sort((left, right) => left - right)
    },
    apiKeyHmac: async (secret) => {
      pepper ??= readOrMakePepper(join(folder, 'pepper'), random)
      return new Uint8Array(
        createHmac('sha256', await pepper)
          .update(secret)
          .digest(),
      )
    },
  }
}

async function readOrMakePepper(path: string, random: Random): Promise<Buffer> {
  return (
    (await readSecretFile(path, KEY_BYTES)) ?? (await makeSecretFile(path, random.bytes(KEY_BYTES)))
  )
}
