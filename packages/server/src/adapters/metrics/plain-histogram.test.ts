import { Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { PlainHistogram } from './plain-histogram.ts'

const OPTIONS = {
  name: 'sotto_test_seconds',
  help: 'Of a test.',
  labelNames: ['method', 'status'],
  buckets: [0.1, 1],
} as const

it('writes what the library of Prometheus would write, ends of buckets and zeros included', async () => {
  const [own, theirs] = [new Registry(), new Registry()]
  const plain = new PlainHistogram(OPTIONS, own)
  const library = new Histogram({
    ...OPTIONS,
    labelNames: [...OPTIONS.labelNames],
    buckets: [...OPTIONS.buckets],
    registers: [theirs],
  })
  for (const [seconds, method, status] of [
    [0.1, 'GET', '200'],
    [0.25, 'GET', '200'],
    [0.95, 'GET', '200'],
    [0, 'POST', '500'],
  ] as const) {
    plain.observe(seconds, method, status)
    library.observe({ method, status }, seconds)
  }
  expect(await own.metrics()).toBe(await theirs.metrics())
})

it('how long the longest took is told by no sum', async () => {
  const registry = new Registry()
  const plain = new PlainHistogram(OPTIONS, registry)
  plain.observe(1_234.5, 'GET', '200')
  const text = await registry.metrics()
  expect(text).toContain('sotto_test_seconds_sum{method="GET",status="200"} 1\n')
  expect(text).toContain('le="+Inf",method="GET",status="200"} 1\n')
})
