import { expect, it } from 'vitest'
import { shownError } from './shown-error.ts'

const SECRET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'
const shown = (error: unknown) => JSON.stringify(shownError(error))

it('never shows a message, even if it looks like stack frames', () => {
  const error = new Error(
    `first\n    at ${SECRET} (/srv/${SECRET}.ts:1:2)\n    at /x/${SECRET}:1:1`,
  )
  expect(shown(error)).not.toContain(SECRET)
  expect(shown(error)).toContain('shown-error.test.ts')
})

it('never shows the first message of an error whose message was changed', () => {
  const error = new Error(`pays ${SECRET}\n    at ${SECRET}`)
  error.message = 'short'
  expect(shown(error)).not.toContain(SECRET)
})

it('shows only kinds and codes in an expected form', () => {
  const named = Object.assign(new Error('x'), { name: `To ${SECRET}`, code: SECRET })
  expect(shown(named)).not.toContain(SECRET)
  for (const code of ['ECONNREFUSED', '23505', 'vault_403', 'ERR_STREAM_DESTROYED', '08P01']) {
    expect(shownError(Object.assign(new Error('x'), { code }))).toMatchObject({ code })
  }
  for (const code of ['18446744073709551615', 'a'.repeat(64), `ERR_${SECRET}`]) {
    expect(shownError(Object.assign(new Error('x'), { code }))).not.toHaveProperty('code')
  }
})

it('shows a node’s refusal by its code', () => {
  const refused = Object.assign(new Error(SECRET), {
    context: { __code: -32_020, signature: SECRET },
  })
  const limited = Object.assign(new Error(SECRET), {
    context: { statusCode: 429, message: SECRET },
  })
  expect(shownError(refused)).toMatchObject({ code: 'rpc_error_32020' })
  expect(shownError(limited)).toMatchObject({ code: 'rpc_429' })
  expect(shown(refused) + shown(limited)).not.toContain(SECRET)
})

it('shows a limited number of causes by the same rules', () => {
  const error: Error = new Error(SECRET, { cause: new TypeError(SECRET, { cause: SECRET }) })
  expect(shown(error)).not.toContain(SECRET)
  expect(shownError(error)).toMatchObject({
    cause: { kind: 'TypeError', cause: { kind: 'string' } },
  })
  error.cause = error
  expect(shown(error).length).toBeLessThan(10_000)
})
