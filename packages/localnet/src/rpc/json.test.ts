import { assert, bigInt, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, stringifyJson } from './json.ts'

test('parseJson and JSON.parse agree if JSON.parse loses no digits', () => {
  assert(
    property(jsonValue(), (value) => {
      const text = JSON.stringify(value)
      // Both readers convert negative zero and long floats to the same double.
      expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('integers of any size keep every digit', () => {
  assert(
    property(bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (value) => {
      const text = stringifyJson({ value, list: [value] })
      expect(text).toBe(`{"value":${value},"list":[${value}]}`)
      const parsed = parseJson(text) as { value: number | bigint }
      expect(BigInt(parsed.value)).toBe(value)
    }),
  )
})

test('digits inside strings stay unchanged', () => {
  assert(
    property(string(), (text) => {
      const value = `${text} 12345678901234567890 ${text}`
      expect(parseJson(JSON.stringify([value]))).toEqual([value])
    }),
  )
})
