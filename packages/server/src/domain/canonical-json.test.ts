import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

/** The same value with the members of every object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).reverse()
  return Object.fromEntries(members.map(([name, member]) => [name, turned(member)]))
}

// The names of members are random text, not only ASCII.
const values = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })

it('writes every string as JSON does', () => {
  for (let code = 0; code < 0x1_0000; code += 1) {
    const text = `a${String.fromCharCode(code)}b`
    expect(canonicalJson(text)).toBe(JSON.stringify(text))
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(canonicalJson(text)).toBe(JSON.stringify(text))
    }),
  )
})

it('writes text that parses to the same value', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('gives the same text for any order of members', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalJson(turned(value))).toBe(canonicalJson(value))
    }),
  )
})

it('sorts members by code unit at every depth', () => {
  const value = { b: [1, null, undefined], a: { ä: '"\n', Z: true, 10: 1, 9: 2 }, gone: undefined }
  expect(canonicalJson(value)).toBe(
    String.raw`{"a":{"10":1,"9":2,"Z":true,"ä":"\"\n"},"b":[1,null,null]}`,
  )
})
