import { expect, it } from 'vitest'
import { deprecationHeaders, DEPRECATIONS } from './index.ts'

const docs = '/docs'

it('writes the headers as their standards define them', () => {
  expect(deprecationHeaders({ since: '2027-01-01', sunset: '2027-07-01', docs })).toEqual({
    deprecation: '@1798761600',
    sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
    link: '</docs>; rel="deprecation"',
  })
})

it('refuses less than 180 days of notice, and invalid days', () => {
  const since = '2027-01-01'
  expect(() => deprecationHeaders({ since, sunset: '2027-06-29', docs })).toThrow(/180 days/)
  expect(deprecationHeaders({ since, sunset: '2027-06-30', docs })).toHaveProperty('sunset')
  expect(() => deprecationHeaders({ since, sunset: 'soon', docs })).toThrow(/YYYY-MM-DD/)
  expect(() => deprecationHeaders({ since, sunset: '2027-13-01', docs })).toThrow(/YYYY-MM-DD/)
})

it('gives enough notice for every deprecation in the registry', () => {
  for (const one of Object.values(DEPRECATIONS)) expect(deprecationHeaders(one)).toBeDefined()
})
