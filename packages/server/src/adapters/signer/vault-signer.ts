import { addressFromBytes } from '@sotto/protocol'
import { z } from 'zod'
import type { Signer } from '../../ports/signer.ts'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'
import { vaultError, type AskVault } from '../vault/vault-client.ts'
import { isSignatureOf, publicKeyOf } from './public-key.ts'

const KeyAnswer = z.object({
  data: z.object({
    type: z.string(),
    derived: z.boolean().optional(),
    latest_version: z.int(),
    keys: z.record(z.string(), z.object({ public_key: z.string() }).or(z.unknown())),
  }),
})
const SignAnswer = z.object({ data: z.object({ signature: z.string() }) })
/** The form of Vault's signatures: `vault:v<version>:<base64>`. */
const SIGNATURE = /^vault:v([0-9]+):([A-Za-z0-9+/]+={0,2})$/
const OK = 200

/**
 * Opens a key of type ed25519 in Vault's transit engine. Until the process ends, the signer uses the version that was
 * the newest at the start. After a rotation, the new version has another address. That address must be set in the pool
 * before the service uses the new version.
 *
 * @throws RemoteError if there is no such key, or if Vault doesn't answer as documented.
 */
export async function openVaultSigner(
  vault: AskVault,
  mount: string,
  name: string,
): Promise<Signer> {
  const { raw, version } = await readKey(vault, `${mount}/keys/${encodeURIComponent(name)}`)
  const key = publicKeyOf(raw)
  if (key === undefined) throw new RemoteError('vault', 'wrong_form')
  return {
    address: addressFromBytes(raw),
    sign: async (message) => {
      const answer = await vault('POST', `${mount}/sign/${encodeURIComponent(name)}`, {
        input: Buffer.from(message).toString('base64'),
        key_version: version,
      })
      if (answer.status !== OK) throw vaultError(answer)
      const { data } = parseAnswer('vault', SignAnswer, answer.text)
      const [, ofVersion, base64 = ''] = SIGNATURE.exec(data.signature) ?? []
      const signature = new Uint8Array(Buffer.from(base64, 'base64'))
      // Without this check, only the chain would refuse a signature of another key. By then, the attempt would already
      // be in the journal.
      if (ofVersion !== `${version}` || !isSignatureOf(key, message, signature)) {
        throw new RemoteError('vault', 'wrong_signature')
      }
      return signature
    },
  }
}

async function readKey(vault: AskVault, path: string) {
  const answer = await vault('GET', path)
  if (answer.status === 404) {
    throw new RemoteError(
      'vault',
      404,
      `there is no such key; run vault write -f ${path} type=ed25519`,
    )
  }
  if (answer.status !== OK) throw vaultError(answer)
  const {
    type,
    derived,
    latest_version: version,
    keys,
  } = parseAnswer('vault', KeyAnswer, answer.text).data
  if (type !== 'ed25519' || derived === true) {
    const advice = `run vault write -f ${path} type=ed25519 to make a key that is not derived`
    throw new RemoteError('vault', 'wrong_key_type', advice)
  }
  const newest = z.object({ public_key: z.string() }).safeParse(keys[`${version}`])
  if (!newest.success) throw new RemoteError('vault', 'wrong_form')
  return { raw: new Uint8Array(Buffer.from(newest.data.public_key, 'base64')), version }
}
