import { expect, it } from 'vitest'
import { urlHoldsKey } from './url-holds-key.ts'

const KEY = 'sotto_test_0123456789AB_abc'
const hidden = KEY.replaceAll(/[_t]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)

it.each([
  ['a value of the query', `/transfer/v1/tokens?key=${KEY}`],
  ['a name of the query', `/transfer/v1/tokens?${KEY}`],
  ['quotes', `/transfer/v1/tokens?key=%22${KEY}%22`],
  ['the path', `/transfer/v1/status/${KEY}`],
  ['the fragment', `/transfer/v1/tokens#${KEY}`],
  ['the authority', `http://${KEY}@x/transfer/v1/tokens`],
  ['percent encoding', `/transfer/v1/tokens?a=${hidden}`],
  ['double percent encoding', `/transfer/v1/tokens?a=${hidden.replaceAll('%', '%25')}`],
  ['bytes that are not text', `/transfer/v1/tokens?a=%ff${KEY}`],
  ['other text', '/transfer/v1/tokens?a=xsotto_live_9'],
])('finds a key in %s', (_name, target) => {
  expect(urlHoldsKey(target)).toBe(true)
})

it.each(['/transfer/v1/tokens?limit=1', '/%%25%', '/transfer/v1/status/tr_AAA?a=sotto_', ''])(
  'finds no key in %s',
  (target) => expect(urlHoldsKey(target)).toBe(false),
)
