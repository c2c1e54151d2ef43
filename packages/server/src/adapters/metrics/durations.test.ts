import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { durations } from './durations.ts'

function open() {
  const registry = new Registry()
  const name = 'sotto_test_seconds'
  const of = { name, help: 'Of a test.', labelNames: ['method' as const], ends: [0.1, 5] }
  const observe = durations(of, registry)
  const valueOf = async (line: string) => {
    const text = await registry.metrics()
    return text.split(`${name}${line} `)[1]?.split('\n')[0]
  }
  return { observe, valueOf }
}

it('counts a duration in its bucket and in all higher buckets; a bucket includes its upper bound', async () => {
  const { observe, valueOf } = open()
  observe(0.1, { method: 'GET' })
  observe(0.25, { method: 'GET' })
  observe(5, { method: 'GET' })
  expect(await valueOf('_bucket{le="0.1",method="GET"}')).toBe('1')
  expect(await valueOf('_bucket{le="5",method="GET"}')).toBe('3')
  expect(await valueOf('_bucket{le="+Inf",method="GET"}')).toBe('3')
  expect(await valueOf('_sum{method="GET"}')).toBe('5.35')
})

it('adds at most the last bound to the sum', async () => {
  const { observe, valueOf } = open()
  observe(1_234.5, { method: 'GET' })
  expect(parseFloat((await valueOf('_sum{method="GET"}')) ?? '')).toBeCloseTo(5, 12)
  expect(await valueOf('_bucket{le="5",method="GET"}')).toBe('0')
  expect(await valueOf('_bucket{le="+Inf",method="GET"}')).toBe('1')
})
