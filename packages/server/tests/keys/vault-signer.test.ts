import { createKeyPairFromBytes, getAddressFromPublicKey, verifySignature } from '@solana/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openVaultSigner } from '../../src/adapters/signer/vault-signer.ts'
import { openVault } from '../../src/adapters/vault/vault-client.ts'
import { movedClock } from '../remote/no-wait-clock.ts'
import { startVault, type VaultServer } from '../remote/vault-server.ts'

const MESSAGE = new Uint8Array([1, 2, 3])
const clock = movedClock(0)
let vault: VaultServer
let token: string
beforeEach(async () => {
  token = 'hvs.first'
  vault = await startVault(token)
  vault.makeKey('relayer')
})
afterEach(() => vault.close())

const ask = () => openVault({ url: vault.url, token: async () => token, clock })
const open = (name = 'relayer') => openVaultSigner(ask(), 'transit', name)

/** True if the Solana client accepts the signature for the key in Vault. */
async function isValid(name: string, signature: Uint8Array): Promise<boolean> {
  const key = vault.transit.get(name)!.versions[0]!
  const jwk = key.export({ format: 'jwk' })
  const bytes = Buffer.concat([Buffer.from(jwk.d!, 'base64url'), Buffer.from(jwk.x!, 'base64url')])
  const pair = await createKeyPairFromBytes(new Uint8Array(bytes))
  expect((await open(name)).address).toBe(await getAddressFromPublicKey(pair.publicKey))
  return verifySignature(pair.publicKey, signature as never, MESSAGE)
}

it('signs with a key that never leaves Vault', async () => {
  const signer = await open()
  expect(await isValid('relayer', await signer.sign(MESSAGE))).toBe(true)
})

it('signs for its address even after the key was rotated in Vault', async () => {
  const signer = await open()
  vault.makeKey('relayer')
  const signature = await signer.sign(MESSAGE)
  expect((await open()).address).not.toBe(signer.address)
  vault.transit.get('relayer')!.versions.pop()
  expect(await isValid('relayer', signature)).toBe(true)
})

it.each(['other version', 'wrong byte'] as const)(
  'never returns a signature with a fault: %s',
  async (kind) => {
    const signer = await open()
    vault.makeKey('relayer')
    vault.sabotage = kind
    await expect(signer.sign(MESSAGE)).rejects.toThrow('wrong_signature')
  },
)

describe('refuses to start', () => {
  it('without the key', async () => {
    await expect(open('nobody')).rejects.toThrow(/write -f transit\/keys\/nobody type=ed25519/)
  })

  it('on a key of another kind', async () => {
    vault.makeKey('rsa', 'rsa-2048')
    await expect(open('rsa')).rejects.toThrow('wrong_key_type')
  })

  it('with a token that Vault refuses', async () => {
    vault.token = 'hvs.other'
    await expect(open()).rejects.toThrow("vault answered with status 403; check Vault's token")
    await expect(open()).rejects.not.toThrow('hvs')
  })
})

it('uses the new token after the old token has expired', async () => {
  const signer = await open()
  vault.token = token = 'hvs.renewed'
  expect((await signer.sign(MESSAGE)).length).toBe(64)
})

it.each(['refuse', 'cut', 429, 500, 503] as const)(
  'repeats a request a few times after %s',
  async (fault) => {
    const signer = await open()
    vault.faults.push(fault, fault, fault)
    expect((await signer.sign(MESSAGE)).length).toBe(64)
    const before = vault.asked.length
    vault.faults.push(...Array<typeof fault>(9).fill(fault))
    await expect(signer.sign(MESSAGE)).rejects.toMatchObject({ name: 'RemoteError' })
    expect(vault.asked.length - before).toBe(4)
  },
)

it('refuses an answer that is not a signature', async () => {
  const signer = await open()
  vault.faults.push('garbage')
  await expect(signer.sign(MESSAGE)).rejects.toThrow('no_json')
})
