import { parseWhole } from '@sotto/protocol'
import { z } from 'zod'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'
import { vaultError, type AskVault } from './vault-client.ts'

/** Stores secrets of 32 bytes in Vault's KV engine, version 2. */
export interface KvStore {
  /** Reads a secret; undefined if it doesn't exist or was destroyed. */
  readonly read: (name: string) => Promise<Buffer | undefined>
  /**
   * Writes a secret if it doesn't exist yet. Another process may have written it first, so the stored secret is
   * returned.
   */
  readonly make: (name: string, secret: Uint8Array) => Promise<Buffer>
  /** Destroys every version of a secret and then its metadata. Does nothing if the secret doesn't exist. */
  readonly destroy: (name: string) => Promise<void>
  /** Lists the names in a folder. */
  readonly list: (folder: string) => Promise<string[]>
}

const OK = 200
const NO_CONTENT = 204
const BAD_REQUEST = 400
const NOT_FOUND = 404

const ReadAnswer = z.object({ data: z.object({ data: z.object({ secret: z.base64() }) }) })
const MetadataAnswer = z.object({ data: z.object({ versions: z.record(z.string(), z.unknown()) }) })
const ListAnswer = z.object({ data: z.object({ keys: z.array(z.string()) }) })
const SIZE = 32

/**
 * Opens the store in the KV engine that is mounted at `mount`.
 *
 * @param path is the path under which all secrets are stored, without slashes at its start and end.
 */
export function openKvStore(vault: AskVault, mount: string, path: string): KvStore {
  const at = (kind: string, name: string) => `${mount}/${kind}/${path}/${name}`

  const read: KvStore['read'] = async (name) => {
    const answer = await vault('GET', at('data', name))
    // For a destroyed version, Vault answers with this status too.
    if (answer.status === NOT_FOUND) return undefined
    if (answer.status !== OK) throw vaultError(answer)
    const { data } = parseAnswer('vault', ReadAnswer, answer.text).data
    const secret = Buffer.from(data.secret, 'base64')
    if (secret.length !== SIZE) throw new RemoteError('vault', 'damaged_secret')
    return secret
  }

  const make: KvStore['make'] = async (name, secret) => {
    const body = {
      // With `cas: 0`, the write succeeds only if there is no version yet. So only one of two concurrent writers
      // succeeds.
      options: { cas: 0 },
      data: { secret: Buffer.from(secret).toString('base64') },
    }
    const answer = await vault('POST', at('data', name), body)
    if (answer.status !== OK && answer.status !== BAD_REQUEST) throw vaultError(answer)
    const found = await read(name)
    if (found === undefined) throw vaultError(answer)
    return found
  }

  const destroy: KvStore['destroy'] = async (name) => {
    const metadata = await vault('GET', at('metadata', name))
    if (metadata.status === NOT_FOUND) return
    if (metadata.status !== OK) throw vaultError(metadata)
    const { versions } = parseAnswer('vault', MetadataAnswer, metadata.text).data
    const numbers = Object.keys(versions).map(parseWhole)
    // Deleting the metadata would be enough. The versions are destroyed first. Then no secret can be restored, even if
    // deleting the metadata fails.
    for (const [method, kind, body] of [
      ['PUT', 'destroy', { versions: numbers }],
      ['DELETE', 'metadata', undefined],
    ] as const) {
      const answer = await vault(method, at(kind, name), body)
      if (answer.status !== NO_CONTENT && answer.status !== OK) throw vaultError(answer)
    }
    if ((await read(name)) !== undefined) throw new RemoteError('vault', 'secret_survives')
  }

  const list: KvStore['list'] = async (folder) => {
    const answer = await vault('GET', `${at('metadata', folder)}?list=true`)
    if (answer.status === NOT_FOUND) return []
    if (answer.status !== OK) throw vaultError(answer)
    return parseAnswer('vault', ListAnswer, answer.text).data.keys
  }

  return { read, make, destroy, list }
}
