import { expect, it } from 'vitest'
import { siteOf } from '../../usecases/access/site-of.ts'
import { networkOf } from '../network-of.ts'
import { PageLimits } from './page-limits.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  // A socket that listens on `::`, and some proxies, report IPv4 addresses in this form.
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:51234', '192.0.2.7'],
  // Some proxies add the port of the connection.
  ['192.0.2.7:51234', '192.0.2.7'],
  ['[2001:db8:1:2::9]:51234', '2001:db8:1:2'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2'],
])('%s belongs to %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('one address gets a part of the limit, and all addresses together get one key’s limit', () => {
  const clock = { nowMs: () => 0, sleep: async () => undefined }
  const limits = new PageLimits(clock, { perSecond: 1, burst: 12 })
  for (let order = 0; order < 10; order += 1) limits.take('order', '192.0.2.1')
  expect(() => limits.take('order', '192.0.2.1')).toThrow('RATE_LIMITED')
  limits.take('order', '192.0.2.2')
  limits.take('read', '192.0.2.3')
  expect(() => limits.take('read', '192.0.2.4')).toThrow('RATE_LIMITED')
  limits.take('node', '192.0.2.5')
})

it('one customer with many IPv6 networks gets four times the limit of one network', () => {
  const clock = { nowMs: () => 0, sleep: async () => undefined }
  const limits = new PageLimits(clock, { perSecond: 1, burst: 1_000 })
  let orders = 0
  // The customer has 2001:db8:1::/48, and makes each order from another of its networks.
  for (let network = 0; network < 100; network += 1) {
    try {
      limits.take('order', `2001:db8:1:${network.toString(16)}::1`)
      orders += 1
    } catch {
      continue
    }
  }
  expect(orders).toBe(40)
  limits.take('order', '2001:db8:2::1')
  for (let address = 0; address < 100; address += 1) limits.take('order', `192.0.2.${address}`)
})

it('visitors with IPv4 addresses that are reported as IPv6 addresses do not count as one site', () => {
  const clock = { nowMs: () => 0, sleep: async () => undefined }
  const limits = new PageLimits(clock, { perSecond: 1, burst: 1_000 })
  for (let address = 0; address < 100; address += 1) {
    limits.take('order', `::ffff:192.0.2.${address}`)
    expect(siteOf(networkOf(`::ffff:192.0.2.${address}`))).toBe(`192.0.2.${address}`)
  }
})
