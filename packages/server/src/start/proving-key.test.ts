import { describe, expect, it } from 'vitest'
import { provingKeyFault } from './proving-key.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)

/** A release with a key from a ceremony. Its prover uses the same key. */
const release = { vkeySha256: A, isDevelopment: false }
const prover = { vkeyHash: A, isDevelopment: false }

describe('mainnet is served', () => {
  it('if program and prover have the same key from a ceremony', () => {
    expect(provingKeyFault(release, prover, {})).toBeUndefined()
  })

  it('if the operator has verified another program and the prover’s key', () => {
    const verified = { PROGRAM_SHA256: B, VKEY_SHA256: B }
    expect(provingKeyFault(release, { ...prover, vkeyHash: B }, verified)).toBeUndefined()
    const development = { ...release, isDevelopment: true }
    expect(provingKeyFault(development, { ...prover, vkeyHash: B }, verified)).toBeUndefined()
  })
})

describe('mainnet is refused', () => {
  it('if the program was built with a development key', () => {
    const development = { ...release, isDevelopment: true }
    expect(provingKeyFault(development, prover, {})).toMatch(
      /use a release whose key comes from a ceremony/,
    )
    // Configuring another program with the release's key changes nothing.
    const given = { PROGRAM_SHA256: B, VKEY_SHA256: A }
    expect(provingKeyFault(development, prover, given)).toMatch(
      /use a release whose key comes from a ceremony/,
    )
  })

  it('if the prover reports that its key is for development', () => {
    const marked = { ...prover, isDevelopment: true }
    expect(provingKeyFault(release, marked, {})).toMatch(
      /use a release whose key comes from a ceremony/,
    )
  })

  it("if the prover's key differs from the key with which the program verifies", () => {
    const other = { ...prover, vkeyHash: B }
    expect(provingKeyFault(release, other, {})).toMatch(
      /prover's key has the hash .*, but the program's key has the hash/,
    )
  })

  it("if another program's hash was given without the hash of its key", () => {
    const given = { PROGRAM_SHA256: B }
    expect(provingKeyFault(release, prover, given)).toMatch(/SOTTO_VKEY_SHA256/)
  })

  it("if a key's hash was given without the hash of its program", () => {
    const given = { VKEY_SHA256: B }
    expect(provingKeyFault(release, { ...prover, vkeyHash: B }, given)).toMatch(/must both be set/)
  })
})
