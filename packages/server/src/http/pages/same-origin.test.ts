import { expect, it } from 'vitest'
import { isSameOrigin } from './same-origin.ts'

const HOST = 'send.example.com'
const own = { host: HOST, origin: `https://${HOST}`, fetchSite: 'same-origin' }

it.each([
  ['its own page', own, true],
  ['its own page, of a browser that only names its origin', { ...own, fetchSite: undefined }, true],
  ['its own page, of a browser that only says so', { ...own, origin: undefined }, true],
  ['nobody', { ...own, origin: undefined, fetchSite: undefined }, false],
  ['another site', { ...own, fetchSite: 'cross-site' }, false],
  ['a sister site', { ...own, fetchSite: 'same-site' }, false],
  ['a link that was typed', { ...own, origin: undefined, fetchSite: 'none' }, false],
  ['another origin', { ...own, origin: 'https://evil.example', fetchSite: undefined }, false],
  ['the same name on another port', { ...own, origin: `https://${HOST}:8443` }, false],
  ['an origin that is none, of nobody', { ...own, host: undefined, origin: 'null' }, false],
  ['an origin that is none', { ...own, origin: 'null', fetchSite: undefined }, false],
])('a change that %s asks for', (_who, provenance, isLetIn) => {
  expect(isSameOrigin(provenance, true)).toBe(isLetIn)
})

it('a request that only reads may come without a word, but not from elsewhere', () => {
  const silent = { host: HOST, origin: undefined, fetchSite: undefined }
  expect(isSameOrigin(silent, false)).toBe(true)
  expect(isSameOrigin({ ...silent, fetchSite: 'cross-site' }, false)).toBe(false)
})
