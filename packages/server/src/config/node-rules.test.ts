import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'

const LEAST = {
  SOTTO_RPC_URL: 'https://one.test',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
}
const read =
  (more: Record<string, string> = {}) =>
  () =>
    readConfig({ ...LEAST, ...more })

it('a node that is named twice is refused', () => {
  expect(read({ SOTTO_RPC_URLS: 'https://two.test' })().RPC_URLS).toEqual(['https://two.test'])
  expect(read({ SOTTO_RPC_URLS: 'https://two.test,https://ONE.test/' })).toThrow(
    'SOTTO_RPC_URLS names a node twice',
  )
  // The same node with another API key, another user or another spelling of its path.
  for (const url of [
    'https://one.test/?key=2',
    'https://user:pass@one.test',
    'https://one.test//',
  ]) {
    expect(read({ SOTTO_RPC_URLS: url })).toThrow('SOTTO_RPC_URLS names a node twice')
  }
  expect(read({ SOTTO_RPC_URLS: 'https://one.test/two,https://one.test:8899' })).not.toThrow()
  for (const name of ['SOTTO_SEND_RPC_URLS', 'SOTTO_RECIPIENT_RPC_URLS']) {
    expect(read({ [name]: 'https://a.test/,https://A.test:443' })).toThrow(
      `${name} names a node twice`,
    )
    expect(read({ [name]: 'https://a.test/,https://b.test/' })).not.toThrow()
  }
})

it('a node for recipients is refused if it is also a node for reading', () => {
  const more = { SOTTO_RPC_URLS: 'https://two.test/?key=1' }
  const recipients = (urls: string) => read({ ...more, SOTTO_RECIPIENT_RPC_URLS: urls })
  expect(recipients('https://three.test,https://four.test')).not.toThrow()
  for (const url of ['https://one.test', 'https://two.test/?key=1']) {
    expect(recipients(`https://three.test,${url}`), url).toThrow(
      'SOTTO_RECIPIENT_RPC_URLS names a node of SOTTO_RPC_URL or SOTTO_RPC_URLS',
    )
  }
  // A URL with another key or another user still leads to the same node.
  expect(recipients('https://user:pass@TWO.test/?key=2')).toThrow('SOTTO_RECIPIENT_RPC_URLS')
  expect(recipients('https://two.test/mine')).not.toThrow()
})

it('an endpoint for sending may also be a node for reading', () => {
  expect(read({ SOTTO_SEND_RPC_URLS: 'https://one.test' })).not.toThrow()
})
