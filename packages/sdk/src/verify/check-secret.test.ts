import { bigintFromBytes, FIELD_MODULUS, NATIVE_MINT } from '@sotto/protocol'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkSecret } from './check-secret.ts'
import { Findings } from './refusal.ts'

const digest = (text: string) => new Uint8Array(createHash('sha256').update(text).digest())

it('a secret that is drawn at random is never refused', () => {
  for (let drawn = 0; drawn < 5_000; drawn += 1) {
    const findings = new Findings()
    const nk = bigintFromBytes(digest(`secret ${drawn}`)) % FIELD_MODULUS
    const message = digest(`message ${drawn % 16}`)
    checkSecret(findings, nk, { message, addresses: [NATIVE_MINT] })
    expect(findings.refusals).toEqual([])
  }
})
