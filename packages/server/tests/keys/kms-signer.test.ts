import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  credentialsFrom,
  type CredentialSource,
} from '../../src/adapters/signer/aws-credentials.ts'
import { openKms } from '../../src/adapters/signer/kms-client.ts'
import { openKmsSigner } from '../../src/adapters/signer/kms-signer.ts'
import { startKms, type KmsServer } from '../remote/kms-server.ts'
import { movedClock, type MovedClock } from '../remote/no-wait-clock.ts'

const NOW_MS = Date.parse('2026-11-21T16:00:00Z')
const MESSAGE = new Uint8Array(1_232).fill(7)
const LONG_LIVED = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/+=' }
let clock: MovedClock
let kms: KmsServer
beforeEach(async () => {
  clock = movedClock(NOW_MS)
  kms = await startKms(clock.nowMs)
  kms.known.set('AKIDEXAMPLE', { secret: 'secret/+=' })
})
afterEach(() => kms.close())

const fixed: CredentialSource = async () => LONG_LIVED
const open = (credentials = fixed, region = 'eu-central-1', keyId = 'alias/relayer') =>
  openKmsSigner(openKms({ region, url: `${kms.url}/`, credentials, clock }), keyId)

it('signs with a key that never leaves KMS', async () => {
  const signer = await open()
  const key = createPublicKey(kms.keys.get('alias/relayer')!)
  expect(verify(null, MESSAGE, key, await signer.sign(MESSAGE))).toBe(true)
})

describe('a signer cannot be opened', () => {
  const wrong: CredentialSource = async () => ({ ...LONG_LIVED, secretAccessKey: 'other' })
  it.each([
    ['with a wrong secret', wrong, 'eu-central-1', 'InvalidSignature'],
    ['for another region', fixed, 'us-east-1', 'IncompleteSignatureException'],
  ])('%s', async (_, credentials, region, code) => {
    await expect(open(credentials, region)).rejects.toThrow(code)
    await expect(open(credentials, region)).rejects.not.toThrow('secret')
    expect(kms.asked.length).toBeLessThanOrEqual(4)
  })

  it('for a missing key or a key of another curve', async () => {
    await expect(open(fixed, undefined, 'alias/none')).rejects.toThrow('NotFoundException')
    kms.keys.set('alias/p256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
    await expect(open(fixed, undefined, 'alias/p256')).rejects.toThrow('wrong_key_type')
  })
})

it('never returns a signature of another key if the alias was moved', async () => {
  const signer = await open()
  kms.keys.set('alias/relayer', generateKeyPairSync('ed25519').privateKey)
  await expect(signer.sign(MESSAGE)).rejects.toThrow('wrong_signature')
})

it.each(['refuse', 'cut', 500, 503] as const)(
  'repeats a request after %s, a limited number of times',
  async (fault) => {
    const signer = await open()
    kms.faults.push(fault, fault, fault)
    expect((await signer.sign(MESSAGE)).length).toBe(64)
    kms.faults.push(fault, fault, fault, fault, fault)
    await expect(signer.sign(MESSAGE)).rejects.toMatchObject({ name: 'RemoteError' })
    expect(kms.faults.length).toBe(1)
  },
)

describe('credentials of a container', () => {
  const issue = (id: string, minutes: number) => {
    kms.known.set(id, { secret: `secret of ${id}`, token: `token of ${id}` })
    kms.credentials = {
      AccessKeyId: id,
      SecretAccessKey: `secret of ${id}`,
      Token: `token of ${id}`,
      Expiration: new Date(clock.nowMs() + minutes * 60_000).toISOString(),
    }
  }
  const fromPod = (token = 'pod-token') =>
    credentialsFrom(`${kms.url}/v1/credentials`, async () => token, clock)
  const rounds = () => kms.asked.filter(({ url }) => url.pathname === '/v1/credentials').length

  it('are requested again before they expire', async () => {
    issue('ASIAONE', 60)
    const signer = await open(fromPod())
    await signer.sign(MESSAGE)
    expect(rounds()).toBe(1)
    clock.advanceMs(56 * 60_000)
    issue('ASIATWO', 60)
    kms.expired.add('ASIAONE')
    await signer.sign(MESSAGE)
    expect(rounds()).toBe(2)
  })

  it('that expired early are replaced immediately', async () => {
    issue('ASIAONE', 60)
    const signer = await open(fromPod())
    kms.expired.add('ASIAONE')
    issue('ASIATWO', 60)
    expect((await signer.sign(MESSAGE)).length).toBe(64)
    expect(rounds()).toBe(2)
  })

  it('that are unavailable are named in the error', async () => {
    await expect(open(fromPod('wrong'))).rejects.toMatchObject({ code: 'aws_credentials_401' })
    kms.credentials = { AccessKeyId: 'ASIAONE' }
    await expect(open(fromPod())).rejects.toMatchObject({ code: 'aws_credentials_wrong_form' })
  })
})
