import { createKeyPairFromBytes, getAddressFromPublicKey, verifySignature } from '@solana/kit'
import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFileSigner } from '../../src/adapters/signer/file-signer.ts'

function newKeypair(): number[] {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  return [...secret, ...publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]
}

async function fileWith(content: string, mode = 0o600): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'sotto-signer-')), 'key.json')
  await writeFile(path, content)
  await chmod(path, mode)
  return path
}

it('makes the same signature as the Solana client with the same file', async () => {
  const bytes = newKeypair()
  const signer = await readFileSigner(await fileWith(JSON.stringify(bytes)))
  const pair = await createKeyPairFromBytes(new Uint8Array(bytes))
  expect(signer.address).toBe(await getAddressFromPublicKey(pair.publicKey))
  const message = new Uint8Array([1, 2, 3])
  const signature = (await signer.sign(message)) as Parameters<typeof verifySignature>[1]
  expect(await verifySignature(pair.publicKey, signature, message)).toBe(true)
})

it.each([
  ['a file that others can read', JSON.stringify(newKeypair()), 0o644, 'chmod 600'],
  ['a file that is not JSON', '[1, 2', 0o600, "isn't JSON"],
  ['a file with too few bytes', '[1,2,3]', 0o600, 'array of 64 bytes'],
  ['numbers that are not bytes', JSON.stringify(Array(64).fill(256)), 0o600, 'array of 64 bytes'],
  [
    'the secret half of one key with the public half of another',
    JSON.stringify([...newKeypair().slice(0, 32), ...newKeypair().slice(32)]),
    0o600,
    "doesn't belong to its secret half",
  ],
] as const)('refuses %s', async (_name, content, mode, message) => {
  await expect(readFileSigner(await fileWith(content, mode))).rejects.toThrow(message)
})
