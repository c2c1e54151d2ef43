import { describe, expect, it } from 'vitest'
import { provingKeyFault } from './proving-key.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)

/** A release with a key from a ceremony, whose prover works with the same key. */
const release = { vkeySha256: A, isDevelopment: false }
const prover = { vkeyHash: A, isDevelopment: false }

describe('mainnet is served', () => {
  it('with the key of a ceremony, the same in program and prover', () => {
    expect(provingKeyFault(release, prover, {})).toBeUndefined()
  })

  it('with another program whose key was verified too, if the prover has that key', () => {
    const verified = { PROGRAM_SHA256: B, VKEY_SHA256: B }
    expect(provingKeyFault(release, { ...prover, vkeyHash: B }, verified)).toBeUndefined()
    const development = { ...release, isDevelopment: true }
    expect(provingKeyFault(development, { ...prover, vkeyHash: B }, verified)).toBeUndefined()
  })
})

describe('mainnet is refused', () => {
  it('if the program was built with a development key, whatever the prover says of its own', () => {
    const development = { ...release, isDevelopment: true }
    expect(provingKeyFault(development, prover, {})).toMatch(/needs a key from a ceremony/)
    // Configuring the release's own hashes doesn't change its key.
    const given = { PROGRAM_SHA256: B, VKEY_SHA256: A }
    expect(provingKeyFault(development, prover, given)).toMatch(/needs a key from a ceremony/)
  })

  it('if the prover says that its key is for development', () => {
    const marked = { ...prover, isDevelopment: true }
    expect(provingKeyFault(release, marked, {})).toMatch(/needs a key from a ceremony/)
  })

  it('if the prover works with another key than the program verifies by', () => {
    const other = { ...prover, vkeyHash: B }
    expect(provingKeyFault(release, other, {})).toMatch(/prover.* not the program's/)
  })

  it("if another program's hash was given without its key's", () => {
    const given = { PROGRAM_SHA256: B }
    expect(provingKeyFault(release, prover, given)).toMatch(/SOTTO_VKEY_SHA256/)
  })

  it("if a key's hash was given without its program's", () => {
    const given = { VKEY_SHA256: B }
    expect(provingKeyFault(release, { ...prover, vkeyHash: B }, given)).toMatch(/together/)
  })
})
