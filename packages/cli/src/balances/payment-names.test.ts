import { expect, it } from 'vitest'
import { keyOfLine } from '../payroll/list-record.ts'
import { AGENT_PREFIX, assertOwnKey } from './payment-names.ts'

it.each(['', keyOfLine('november', 0), `${AGENT_PREFIX}invoice-7`])(
  'refuses the key %j for a single payment',
  (key) => {
    expect(() => assertOwnKey(key)).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }))
  },
)

it.each(['invoice-7', 'cli-3', 'close', 'line:0:november', 'payroll-7'])(
  'accepts the key %s for a single payment',
  (key) => {
    expect(() => assertOwnKey(key)).not.toThrow()
  },
)
