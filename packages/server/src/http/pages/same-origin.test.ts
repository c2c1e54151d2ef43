import { expect, it } from 'vitest'
import { isSameOrigin } from './same-origin.ts'

const HOST = 'send.example.com'
const own = { host: HOST, origin: `https://${HOST}`, fetchSite: 'same-origin' }

it.each([
  ['its own page', own, true],
  ['its own page, in a browser that sends only the origin', { ...own, fetchSite: undefined }, true],
  [
    'its own page, in a browser that sends only Sec-Fetch-Site',
    { ...own, origin: undefined },
    true,
  ],
  ['a client that names no page', { ...own, origin: undefined, fetchSite: undefined }, false],
  ['another site', { ...own, fetchSite: 'cross-site' }, false],
  ['a sister site', { ...own, fetchSite: 'same-site' }, false],
  ['a typed address', { ...own, origin: undefined, fetchSite: 'none' }, false],
  ['another origin', { ...own, origin: 'https://evil.example', fetchSite: undefined }, false],
  ['the same name on another port', { ...own, origin: `https://${HOST}:8443` }, false],
  ['a null origin without a host', { ...own, host: undefined, origin: 'null' }, false],
  ['a null origin', { ...own, origin: 'null', fetchSite: undefined }, false],
])('allows or refuses a modifying request from %s', (_who, provenance, isLetIn) => {
  expect(isSameOrigin(provenance, true)).toBe(isLetIn)
})

it('allows a read without an origin, and refuses a read from another origin', () => {
  const silent = { host: HOST, origin: undefined, fetchSite: undefined }
  expect(isSameOrigin(silent, false)).toBe(true)
  expect(isSameOrigin({ ...silent, fetchSite: 'cross-site' }, false)).toBe(false)
})
