import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../domain/canonical-json.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { parseCarefully, parseStrictJson } from './strict-json.ts'

const canonical = (text: string) => canonicalJson(parseStrictJson(text))

describe('parsing a body', () => {
  it('agrees with JSON.parse on every value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        fc.pre(!text.includes('__proto__'))
        // Integers beyond 2^53 are excluded, because the two parsers treat them differently on purpose.
        fc.pre(!canonical(text).includes('isLosslessNumber'))
        expect(canonical(text)).toBe(canonicalJson(JSON.parse(text)))
      }),
    )
  })

  it('gives the same result on the fast and the slow path for any text', () => {
    const outcome = (parse: (text: string) => unknown, text: string) => {
      try {
        return parse(text)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        const { cause: _, ...context } = error.context
        return { code: error.code, context }
      }
    }
    const judge = (text: string) => {
      expect([text, outcome(parseStrictJson, text)]).toEqual([text, outcome(parseCarefully, text)])
    }
    // There are only a few names, so that members are often repeated. There are numbers of every kind. Afterwards, one
    // character is corrupted.
    const part = fc.constantFrom(
      ...['"a":', '"b":', '"\\u0061":', '"__proto__":', '{', '}', '[', ']', ',', ':', ' ', '"'],
      ...['1', '-1', '1.0', '1e3', '1E400', '0', '01', '123456789012345', '9007199254740993'],
      ...['true', 'false', 'null', '"x"', '"{\\"a\\":1}"', '"é"', '"__proto__"'],
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => judge(parts.join(''))),
      { numRuns: 3_000 },
    )
    const member = fc.tuple(fc.constantFrom('a', 'b', 'é', '\\u0061'), fc.json({ maxDepth: 2 }))
    const object = fc.array(member, { maxLength: 4 }).map((members) => {
      const inner = members.map(([name, value]) => `"${name}":${value}`)
      return `{"q":{${inner.join(',')}}}`
    })
    fc.assert(
      fc.property(object, fc.nat(200), part, (text, at, spoilt) => {
        judge(text)
        judge(text.slice(0, at) + spoilt + text.slice(at + 1))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['45 and 45.0', '{"a":45}', '{"a":45.0}'],
    ['45 and 4.5e1', '{"a":45}', '{"a":4.5e1}'],
    ['escapes', '{"a":"é/"}', '{"\\u0061":"\\u00e9\\/"}'],
    ['different order and white space', '{"a":1,"b":2}', ' { "b" : 2 ,\n"a" : 1 } '],
  ])('treats %s as equal', (_name, left, right) => {
    expect(canonical(left)).toBe(canonical(right))
  })

  it.each([
    ['a number and its text', '{"a":45}', '{"a":"45"}'],
    ['null and absent', '{"a":null}', '{}'],
    ['numbers that a double cannot distinguish', '{"a":45}', '{"a":45.00000000000000000001}'],
    [
      'two numbers that a double cannot distinguish',
      '{"a":9007199254740993}',
      '{"a":9007199254740992.5}',
    ],
  ])('distinguishes %s', (_name, left, right) => {
    expect(canonical(left)).not.toBe(canonical(right))
  })

  it.each([
    ['a member twice with one value', '{"a":1,"a":1}'],
    ['a member twice with two values', '{"a":1,"a":2}'],
    ['a member twice in two spellings', '{"a":1,"\\u0061":1}'],
    ['a nested member twice', '{"q":{"a":1,"b":[{"c":1,"c":1}]}}'],
    ['text that is not JSON', '{"a":1'],
    ['two values one after the other', '{}{}'],
    ['too much depth', '['.repeat(60_000)],
    ['one level too deep', '['.repeat(17) + ']'.repeat(17)],
    ['a lone word', 'undefined'],
    // If the parser's time grew with the square of the length, each of these texts would take hours.
    ['a string that never ends, full of quotes', `"${'\\"'.repeat(4_000_000)}`],
    ['a string that ends with a backslash', `"${'\\"'.repeat(4_000_000)}\\`],
    ['nothing but colons', ':'.repeat(8_000_000)],
  ])('refuses %s', (_name, text) => {
    expect(() => parseStrictJson(text)).toThrow(ServiceError)
  })

  it('accepts equal names in different objects, and names inside strings', () => {
    expect(parseStrictJson('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }])
    expect(parseStrictJson('{"a":"\\"b\\":1,\\"b\\":2","b":3}')).toEqual({ a: '"b":1,"b":2', b: 3 })
  })

  it('keeps a member called __proto__ as an ordinary member', () => {
    const value = parseStrictJson('{"__proto__":{"admin":true}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect('admin' in value).toBe(false)
  })
})
