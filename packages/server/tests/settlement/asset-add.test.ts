import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAsset } from '../../src/operator/asset/asset-account.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'

let stack: Stack
let mint: Address
beforeAll(async () => {
  stack = await startStack()
  const made = await stack.localnet.local<{ mint: Address }>('localnet_createMint', [
    { decimals: 6, symbol: 'NEW' },
  ])
  mint = made.mint
  await waitUntil(async () => {
    const options = { encoding: 'base64', commitment: 'confirmed' } as const
    return (await stack.rpc.getAccountInfo(mint, options).send()).value !== null
  })
})
afterAll(() => stack?.close())

/** Options of the first `asset add`. */
const SETTINGS = {
  ...{ symbol: 'NEW', name: 'New', 'service-bps': '20', 'network-fee-exists': '1000' },
  ...{ 'network-fee-created': '2000', 'input-max': '7000', 'swap-cap': '500' },
  'swap-period': '3600',
}

const asAdmin = (...words: string[]) => stack.operate(...words, '--admin', stack.adminFile)
const add = (changed: Partial<typeof SETTINGS> = {}, of: Address = mint, ...flags: string[]) => {
  const settings = Object.entries({ ...SETTINGS, ...changed }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ])
  return asAdmin('asset', 'add', '--mint', of, ...settings, ...flags)
}
const onChain = () => findAsset(stack.rpc, PROGRAM, mint)
const limits = async () => {
  const { depositsPaused, depositMax, swapCap } = (await onChain())!
  return { depositsPaused, depositMax, swapCap }
}

it.each([
  ['a fee that the database refuses', { 'service-bps': '1001' }, '--service-bps'],
  ['a limit that the database refuses', { 'input-max': '0' }, '--input-max'],
  ['the symbol of SOL', { symbol: 's\u200bOl ' }, 'only the mint'],
  ['the symbol of SOL in full width', { symbol: 'ＳＯＬ' }, 'only the mint'],
])('an asset with %s is refused before the chain changes', async (_, changed, named) => {
  const refused = expect(add(changed)).rejects
  await refused.toMatchObject({ name: 'OperatorError', message: expect.stringContaining(named) })
  expect(await onChain()).toBeUndefined()
})

it('native SOL has no other symbol', async () => {
  await expect(add({ symbol: 'WSOL' }, NATIVE_MINT)).rejects.toThrow(/symbol .* is SOL/)
  const rename = (of: Address, to: string) =>
    stack.operate('asset', 'set', '--mint', of, '--symbol', to)
  await expect(rename(NATIVE_MINT, 'WSOL')).rejects.toThrow(/symbol .* is SOL/)
  await expect(rename(stack.usdc, 'SOL')).rejects.toThrow('only the mint')
})

it('an asset can be added again only with the same settings', async () => {
  expect(await add()).toMatchObject({ existedOnChain: false, existed: false })
  expect(await add()).toMatchObject({ existedOnChain: true, existed: true })
  for (const [changed, named] of [
    [{ symbol: 'OLD' }, '--symbol'],
    [{ name: 'Old' }, '--name'],
    [{ 'service-bps': '77' }, '--service-bps'],
    [{ 'network-fee-exists': '1' }, '--network-fee-exists'],
    [{ 'network-fee-created': '1' }, '--network-fee-created'],
    [{ 'input-max': '5' }, '--input-max'],
    [{ 'swap-cap': '1' }, '--swap-cap 500'],
    [{ 'swap-period': '60' }, '--swap-period 3600'],
  ] as const) {
    const { message } = (await add(changed).catch((error: unknown) => error)) as Error
    expect(message).toContain(named)
    expect(message).toContain(`sotto-server asset set --mint ${mint}`)
  }
  await expect(add({}, mint, '--swappable')).rejects.toThrow('--swappable')
})

it('an asset on the chain is added to an empty database only with the limits of the chain', async () => {
  await stack.database.query('DELETE FROM assets WHERE mint = $1', [mint])
  await expect(add({ 'input-max': '5' })).rejects.toThrow('--input-max 7000')
  expect(await stack.database.query('SELECT 1 FROM assets WHERE mint = $1', [mint])).toEqual([])
  expect(await add()).toMatchObject({ existedOnChain: true, existed: false })
})

it.each([
  ['fee', ['--service-bps', '1001', '--input-max', '12345']],
  ['limit', ['--input-max', '0', '--swap-cap', '9']],
])('a change with a %s that the database refuses leaves the chain as it is', async (_, words) => {
  const before = await limits()
  const failed = asAdmin('asset', 'set', '--mint', mint, ...words)
  await expect(failed).rejects.toMatchObject({ name: 'OperatorError' })
  expect(await limits()).toEqual(before)
})

it('a change of an asset that the service doesn’t list is refused before the chain changes', async () => {
  await stack.database.query('DELETE FROM assets WHERE mint = $1', [mint])
  const before = await limits()
  const set = (...words: string[]) => asAdmin('asset', 'set', '--mint', mint, ...words)
  for (const words of [['--input-max', '9000'], ['--swap-cap', '9', '--symbol', 'NEWER'], []]) {
    await expect(set(...words)).rejects.toThrow('run `sotto-server asset add` first')
    expect(await limits()).toEqual(before)
  }
  // The pause is only on the chain, so it can be changed, for example while a lost database is being restored.
  expect(await set('--pause-deposits', 'on')).toMatchObject({ signature: expect.any(String) })
  expect(await limits()).toEqual({ ...before, depositsPaused: true })
  expect(await set('--pause-deposits', 'off')).toMatchObject({ signature: expect.any(String) })
})
