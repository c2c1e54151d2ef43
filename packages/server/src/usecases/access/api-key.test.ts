import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { drawApiKey, formatApiKey, parseApiKey } from './api-key.ts'

describe('an API key', () => {
  it('is the same after formatting and parsing', () => {
    const key = drawApiKey('test', systemRandom)
    expect(parseApiKey(formatApiKey(key))).toEqual(key)
  })

  it('is refused without reading the database if any character was changed', () => {
    const text = formatApiKey(drawApiKey('live', systemRandom))
    for (let index = 0; index < text.length; index += 1) {
      const other = text[index] === 'x' ? 'y' : 'x'
      expect(parseApiKey(text.slice(0, index) + other + text.slice(index + 1))).toBeUndefined()
    }
    expect(parseApiKey(`${text} `)).toBeUndefined()
    expect(parseApiKey('')).toBeUndefined()
  })
})
