import { expect, it } from 'vitest'
import { parseOptions } from './options.ts'

const parsed = (...argv: string[]) => {
  const { suites, only, report } = parseOptions(argv)
  return { suites, only, report }
}

it('runs the listed suites in order', () => {
  expect(parsed('all', '--only', 'program,cost,prover')).toEqual({
    ...{ suites: ['program', 'cost', 'prover'], only: '', report: true },
  })
  expect(parsed('all', '--only', 'http').suites).toEqual(['http'])
})

it('selects lines by a text that names no suite', () => {
  const { suites, only } = parsed('all', '--only', 'a quote, an order')
  expect(suites).toContain('http')
  expect(only).toBe('a quote, an order')
  expect(parsed('http', '--only', 'quote')).toEqual({
    ...{ suites: ['http'], only: 'quote', report: false },
  })
})
