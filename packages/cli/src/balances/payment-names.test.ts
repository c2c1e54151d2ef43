import { expect, it } from 'vitest'
import { keyOfLine } from '../payroll/list-record.ts'
import { AGENT_PREFIX, assertOwnKey } from './payment-names.ts'

it.each(['', keyOfLine('november', 0), `${AGENT_PREFIX}invoice-7`])(
  'a key of another command, or no key, is refused for a single payment: %j',
  (key) => {
    expect(() => assertOwnKey(key)).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }))
  },
)

it.each(['invoice-7', 'cli-3', 'close', 'line:0:november', 'payroll-7'])(
  'the key %s is accepted for a single payment',
  (key) => {
    expect(() => assertOwnKey(key)).not.toThrow()
  },
)
