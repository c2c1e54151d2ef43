import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keepLast } from '../src/program/keep-last.ts'

const MOST = 4

it('makes a value again only if as many other values as the cache can hold were used since', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(8), { maxLength: 200 }), (keys) => {
      const valueOf = keepLast<{ readonly key: number }>(MOST)
      let used: number[] = []
      for (const key of keys) {
        let isMade = false
        const value = valueOf(`${key}`, () => {
          isMade = true
          return { key }
        })
        expect([key, value.key, isMade]).toEqual([key, key, !used.includes(key)])
        used = [...used.filter((one) => one !== key), key].slice(-MOST)
      }
    }),
  )
})
