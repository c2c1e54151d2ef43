import { OPERATIONS } from '@sotto/contract'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { writtenAnswer } from './endpoint.ts'

it.each(Object.values(OPERATIONS))(
  'an answer of $id has no member `text`, which marks serialised text',
  (of) => {
    const response = of.response as z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>
    const shapes = 'options' in response ? response.options : [response]
    expect(shapes.length).toBeGreaterThan(0)
    for (const { shape } of shapes) {
      expect(Object.keys(shape)).toContain('success')
      expect(shape).not.toHaveProperty('text')
    }
  },
)

it('a serialised answer is sent unchanged, and any other answer is sent as JSON', () => {
  const headers = { 'idempotent-replayed': 'true' }
  expect(writtenAnswer({ text: '{"a": 1}' })).toEqual({ payload: '{"a": 1}', headers: undefined })
  const bytes = new Uint8Array(Buffer.from('{"é": 1}'))
  expect(writtenAnswer({ text: bytes, headers })).toEqual({ payload: Buffer.from(bytes), headers })
  expect(writtenAnswer({ success: true }).payload).toBe('{"success":true}')
})

it.each([[undefined], [null], [{ amount: 1n }]])('%s is refused as an answer', (made) => {
  expect(() => writtenAnswer(made)).toThrow(TypeError)
})
