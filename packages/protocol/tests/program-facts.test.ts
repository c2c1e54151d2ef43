import { getAddressEncoder } from '@solana/kit'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEVELOPMENT_KEY, NATIVE_MINT, programFactsOf } from '../index.ts'
import { VKEY_DELTA } from '../src/program/generated/constants.ts'

const code = readFileSync(new URL('../../../program/artefacts/sotto_program.so', import.meta.url))

function programData(program: Uint8Array, hasAuthority: boolean, padding = 0): Uint8Array {
  const data = new Uint8Array(45 + program.length + padding)
  data[0] = 3
  data[12] = hasAuthority ? 1 : 0
  data.set(getAddressEncoder().encode(NATIVE_MINT), 13)
  data.set(program, 45)
  return data
}

it('recognises the committed program, with or without the empty space after its code', () => {
  expect(programFactsOf(programData(code, true)).isExpected).toBe(true)
  expect(programFactsOf(programData(code, true, 4_096)).isExpected).toBe(true)
})

it('does not recognise a program that differs in one byte', () => {
  const changed = new Uint8Array(code)
  changed[code.length - 1] = (changed[code.length - 1] ?? 0) ^ 1
  expect(programFactsOf(programData(changed, true)).isExpected).toBe(false)
  const padded = programData(code, true, 64)
  padded[padded.length - 1] = 1
  expect(programFactsOf(padded).isExpected).toBe(false)
})

it('recognises a development key in the code of any build', () => {
  expect(programFactsOf(programData(code, true)).hasDevelopmentKey).toBe(DEVELOPMENT_KEY)
  const other = Uint8Array.from([...code.subarray(1_000), ...code.subarray(0, 1_000)])
  const facts = programFactsOf(programData(other, true, 7))
  expect(facts).toMatchObject({ isExpected: false, hasDevelopmentKey: DEVELOPMENT_KEY })
  const delta = Buffer.from(code).indexOf(Buffer.from(VKEY_DELTA, 'hex'))
  expect(delta).toBeGreaterThan(0)
  const ceremony = new Uint8Array(code)
  ceremony[delta] = (ceremony[delta] ?? 0) ^ 1
  expect(programFactsOf(programData(ceremony, true)).hasDevelopmentKey).toBe(false)
})

it('reports the upgrade authority, or null if the program has none', () => {
  expect(programFactsOf(programData(code, true)).upgradeAuthority).toBe(NATIVE_MINT)
  expect(programFactsOf(programData(code, false)).upgradeAuthority).toBeNull()
  expect(() => programFactsOf(new Uint8Array(200))).toThrow(/record of a program/)
})
