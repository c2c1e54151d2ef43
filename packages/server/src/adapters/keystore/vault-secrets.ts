import { createHmac } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import type { KvStore } from '../vault/kv-store.ts'
import { epochSecrets } from './epoch-secrets.ts'

const KEY_BYTES = 32
const EPOCH = /^(0|[1-9][0-9]{0,9})$/
/**
 * A key that was seen so long ago is looked for again: another process may have destroyed it. Much shorter
 * than the day that keys outlive their orders, and long enough that Vault isn't asked for every request.
 */
const FRESH_MS = 30_000
/** While Vault doesn't answer, a key that was seen so long ago is still used: orders go on being paid. */
const KEPT_MS = 600_000

interface Seen {
  readonly secrets: EpochSecrets
  readonly atMs: number
}

/** Keeps epoch keys in `epochs/<n>` and the pepper of API keys in `pepper` of Vault's KV engine. */
export function openVaultSecrets(store: KvStore, random: Random, clock: Clock): Secrets {
  const known = new Map<number, Seen>()
  const asked = new Map<number, Promise<EpochSecrets | undefined>>()
  let pepper: Promise<Buffer> | undefined
  /** The last look failed: whoever has a key that may still be used doesn't wait for the next. */
  let isDown = false

  const keep = (epoch: number, key: Uint8Array): EpochSecrets => {
    const secrets = known.get(epoch)?.secrets ?? epochSecrets(epoch, key, random)
    known.set(epoch, { secrets, atMs: clock.nowMs() })
    return secrets
  }

  const forgetOld = () => {
    for (const [epoch, { atMs }] of known) {
      if (clock.nowMs() - atMs > KEPT_MS) known.delete(epoch)
    }
  }

  const look = async (epoch: number): Promise<EpochSecrets | undefined> => {
    try {
      const key = await store.read(`epochs/${epoch}`)
      isDown = false
      if (key !== undefined) return keep(epoch, key)
      known.delete(epoch)
      return undefined
    } catch (error) {
      isDown = true
      forgetOld()
      const seen = known.get(epoch)
      if (seen !== undefined) return seen.secrets
      throw error
    }
  }

  const read = (epoch: number): Promise<EpochSecrets | undefined> => {
    const seen = known.get(epoch)
    const ageMs = clock.nowMs() - (seen?.atMs ?? -Infinity)
    if (seen !== undefined && ageMs < FRESH_MS) return Promise.resolve(seen.secrets)
    let running = asked.get(epoch)
    if (running === undefined) {
      running = look(epoch).finally(() => asked.delete(epoch))
      asked.set(epoch, running)
    }
    if (seen === undefined || !isDown || ageMs > KEPT_MS) return running
    running.catch(() => undefined)
    return Promise.resolve(seen.secrets)
  }

  return {
    read,
    forNewOrder: async (epoch) => {
      forgetOld()
      const existing = await read(epoch)
      if (existing !== undefined) return existing
      return keep(epoch, await store.make(`epochs/${epoch}`, random.bytes(KEY_BYTES)))
    },
    destroy: async (epoch) => {
      known.delete(epoch)
      await store.destroy(`epochs/${epoch}`)
      known.delete(epoch)
    },
    list: async () =>
      (await store.list('epochs'))
        .flatMap((name) => EPOCH.exec(name)?.[1] ?? [])
        .map((digits) => JSON.parse(digits) as number)
        .sort((left, right) => left - right),
    apiKeyHmac: async (secret) => {
      pepper ??= readOrMake(store, 'pepper', random)
      // A failure must not stay for the life of the process.
      pepper.catch(() => (pepper = undefined))
      return new Uint8Array(
        createHmac('sha256', await pepper)
          .update(secret)
          .digest(),
      )
    },
  }
}

/** The token of the operator's endpoint, from `operator-token`; made where it is missing. */
export async function readVaultOperatorToken(store: KvStore, random: Random): Promise<string> {
  return (await readOrMake(store, 'operator-token', random)).toString('hex')
}

async function readOrMake(store: KvStore, name: string, random: Random): Promise<Buffer> {
  return (await store.read(name)) ?? (await store.make(name, random.bytes(KEY_BYTES)))
}
