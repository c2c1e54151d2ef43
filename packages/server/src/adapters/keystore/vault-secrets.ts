import { parseWhole } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { KeptSecrets } from '../../ports/secrets.ts'
import type { KvStore } from '../vault/kv-store.ts'
import { apiKeyHmac } from './api-key-hmac.ts'
import { VaultEpochs } from './vault-epochs.ts'

const KEY_BYTES = 32
const EPOCH = /^(0|[1-9][0-9]{0,9})$/

/** Keeps epoch keys in `epochs/<n>` and the pepper of API keys in `pepper`, both in Vault's KV engine. */
export function openVaultSecrets(store: KvStore, random: Random, clock: Clock): KeptSecrets {
  const epochs = new VaultEpochs(store, random, clock)
  const list = async () =>
    (await store.list('epochs'))
      .flatMap((name) => EPOCH.exec(name)?.[1] ?? [])
      .map(parseWhole)
      .sort((left, right) => left - right)
  return {
    read: (epoch) => epochs.read(epoch),
    forNewOrder: (epoch) => epochs.readOrMake(epoch),
    destroy: (epoch) => epochs.destroy(epoch),
    forgetDestroyed: () => epochs.forgetDestroyed(list),
    list,
    hasPepper: async () => (await store.read('pepper')) !== undefined,
    apiKeyHmac: apiKeyHmac(() => readOrMake(store, 'pepper', random)),
  }
}

/** Reads the token of the operator's endpoint from `operator-token`. Creates the token if it is missing. */
export async function readVaultOperatorToken(store: KvStore, random: Random): Promise<string> {
  return (await readOrMake(store, 'operator-token', random)).toString('hex')
}

async function readOrMake(store: KvStore, name: string, random: Random): Promise<Buffer> {
  return (await store.read(name)) ?? (await store.make(name, random.bytes(KEY_BYTES)))
}
