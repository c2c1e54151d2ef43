import { addressFromBytes } from '@sotto/protocol'
import { z } from 'zod'
import type { Signer } from '../../ports/signer.ts'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { AskKms } from './kms-client.ts'
import { isSignatureOf, publicKeyOf, rawPublicKey } from './public-key.ts'

const SERVICE = 'aws_kms'
/** Ed25519 over the message itself, as Solana verifies it. KMS also offers a variant that hashes the message first. */
const ALGORITHM = 'ED25519_SHA_512'
const KeyAnswer = z.object({ PublicKey: z.base64(), SigningAlgorithms: z.array(z.string()) })
const SignAnswer = z.object({ Signature: z.base64() })
/** The longest raw message that KMS signs. A Solana transaction has at most 1,232 bytes. */
const MESSAGE_MAX = 4_096

/**
 * Opens a signing key in AWS KMS by its id, ARN or alias. The key must have the spec ECC_NIST_EDWARDS25519.
 *
 * @throws RemoteError if there is no such key, or if KMS doesn't answer as documented.
 */
export async function openKmsSigner(kms: AskKms, keyId: string): Promise<Signer> {
  const text = await kms('GetPublicKey', { KeyId: keyId })
  const { PublicKey, SigningAlgorithms } = parseAnswer(SERVICE, KeyAnswer, text)
  const raw = rawPublicKey(Buffer.from(PublicKey, 'base64'))
  if (raw === undefined || !SigningAlgorithms.includes(ALGORITHM)) {
    const advice = 'make a key with the usage SIGN_VERIFY and the spec ECC_NIST_EDWARDS25519'
    throw new RemoteError(SERVICE, 'wrong_key_type', advice)
  }
  const key = publicKeyOf(raw)
  return {
    address: addressFromBytes(raw),
    sign: async (message) => {
      if (message.length > MESSAGE_MAX) throw new RemoteError(SERVICE, 'message_too_long')
      const answer = await kms('Sign', {
        KeyId: keyId,
        Message: Buffer.from(message).toString('base64'),
        MessageType: 'RAW',
        SigningAlgorithm: ALGORITHM,
      })
      const { Signature } = parseAnswer(SERVICE, SignAnswer, answer)
      const signature = new Uint8Array(Buffer.from(Signature, 'base64'))
      // Someone may have moved the alias to another key since the start, so the signature is checked.
      if (key === undefined || !isSignatureOf(key, message, signature)) {
        throw new RemoteError(SERVICE, 'wrong_signature')
      }
      return signature
    },
  }
}
