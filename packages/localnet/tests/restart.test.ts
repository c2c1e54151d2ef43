import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  address,
  generateKeyPairSigner,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
} from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS, fetchToken, findAssociatedTokenPda } from '@solana-program/token'
import { expect, test } from 'vitest'
import { DamagedLog, DataFolderConflict, DataFolderLocked, startLocalnet } from '../index.ts'
import { signTransfer } from './client.ts'
import { startStillChain } from './still-chain.ts'
import { temporaryFolder } from './temporary-folder.ts'

const encoding = 'base64'
const version = { maxSupportedTransactionVersion: 0 } as const
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')

/** Runs a chain in a folder for some transactions, and stops the chain. */
async function fillFolder(dataFolder: string) {
  const chain = await startStillChain({ dataFolder })
  const payer = await chain.fund()
  const other = await generateKeyPairSigner()
  await chain.call('localnet_createMint', [{ mint: USDC, decimals: 6 }])
  await chain.call('localnet_mintTokens', [payer.address, USDC, '123456789'])
  const { transaction, signature } = await signTransfer(chain.rpc, payer, other.address, 4_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding }).send()
  await chain.pass(8)
  const record = await chain.rpc.getTransaction(signature, { encoding: 'json', ...version }).send()
  const slot = await chain.rpc.getSlot({ commitment: 'processed' }).send()
  const genesisHash = await chain.rpc.getGenesisHash().send()
  await chain.endpoints.stop()
  return { payer, other, wire, signature, record, slot, genesisHash }
}

test('a restarted chain gives the same answers as before', async () => {
  const dataFolder = temporaryFolder()
  const before = await fillFolder(dataFolder)
  const chain = await startStillChain({ dataFolder })
  expect(await chain.rpc.getGenesisHash().send()).toBe(before.genesisHash)
  expect(await chain.rpc.getSlot({ commitment: 'processed' }).send()).toBeGreaterThan(before.slot)
  expect((await chain.rpc.getBalance(before.other.address).send()).value).toBe(4_000_000n)
  expect(
    await chain.rpc.getTransaction(before.signature, { encoding: 'json', ...version }).send(),
  ).toEqual(before.record)
  const owner = before.payer.address
  const [ata] = await findAssociatedTokenPda({
    owner,
    mint: USDC,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  expect((await fetchToken(chain.rpc, ata)).data.amount).toBe(123_456_789n)
  const mentioned = await chain.rpc.getSignaturesForAddress(before.other.address).send()
  expect(mentioned.map((each) => each.signature)).toEqual([before.signature])
})

test('a transaction from before a restart does not land again', async () => {
  const dataFolder = temporaryFolder()
  const before = await fillFolder(dataFolder)
  const chain = await startStillChain({ dataFolder })
  await chain.rpc.sendTransaction(before.wire, { encoding, skipPreflight: true }).send()
  expect(await chain.balanceOf(before.other.address)).toBe(4_000_000n)
  const { payer, other } = before
  const { transaction } = await signTransfer(chain.rpc, payer, other.address, 1_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding }).send()
  expect(await chain.balanceOf(other.address)).toBe(4_001_000n)
})

test('advanced time survives a restart', async () => {
  const dataFolder = temporaryFolder()
  const first = await startStillChain({ dataFolder })
  await first.call('localnet_advanceTime', [1_000_000])
  const slotBefore = await first.rpc.getSlot({ commitment: 'processed' }).send()
  const timeBefore = await first.rpc.getBlockTime(slotBefore).send()
  await first.endpoints.stop()
  const second = await startStillChain({ dataFolder })
  const slot = await second.rpc.getSlot({ commitment: 'processed' }).send()
  expect(await second.rpc.getBlockTime(slot).send()).toBeGreaterThanOrEqual(timeBefore)
})

test('an incomplete last record of any length is cut off', async () => {
  const dataFolder = temporaryFolder()
  const before = await fillFolder(dataFolder)
  const path = join(dataFolder, 'chain.log')
  const whole = readFileSync(path)
  const head = readFileSync(`${path}.head`)
  for (const extra of [1, 8, 9, 30]) {
    writeFileSync(path, whole)
    // All records have the same layout. So the log's first bytes look like the beginning of an incomplete record.
    appendFileSync(path, whole.subarray(0, extra))
    const localnet = await startLocalnet({ port: 0, dataFolder })
    await localnet.stop()
    writeFileSync(path, whole)
    writeFileSync(`${path}.head`, head)
  }
  appendFileSync(path, Buffer.alloc(4_096))
  const chain = await startStillChain({ dataFolder })
  expect(await chain.balanceOf(before.other.address)).toBe(4_000_000n)
})

test('a log with a damaged byte is refused and stays unchanged', async () => {
  const dataFolder = temporaryFolder()
  await fillFolder(dataFolder)
  const path = join(dataFolder, 'chain.log')
  const whole = readFileSync(path)
  const step = Math.max(1, Math.floor(whole.length / 97))
  for (let at = 0; at < whole.length; at += step) {
    const damaged = Buffer.from(whole)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
    writeFileSync(path, damaged)
    const failure = await startLocalnet({ port: 0, dataFolder }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure, `byte ${at}`).toBeInstanceOf(DamagedLog)
    expect(String(failure)).toContain(path)
    expect(String(failure)).toMatch(/at byte \d+/)
    expect(readFileSync(path).equals(damaged)).toBe(true)
  }
})

test('a record removed from the middle is detected', async () => {
  const dataFolder = temporaryFolder()
  await fillFolder(dataFolder)
  const path = join(dataFolder, 'chain.log')
  const whole = readFileSync(path)
  const end = (offset: number) => offset + 9 + whole.readUInt32LE(offset + 1) + 16
  const second = end(0)
  writeFileSync(path, Buffer.concat([whole.subarray(0, second), whole.subarray(end(second))]))
  await expect(startLocalnet({ port: 0, dataFolder })).rejects.toBeInstanceOf(DamagedLog)
})

test('records removed from the end are detected, even if the log is empty or missing', async () => {
  const dataFolder = temporaryFolder()
  await fillFolder(dataFolder)
  const path = join(dataFolder, 'chain.log')
  const whole = readFileSync(path)
  const ends = [0]
  const next = (offset: number) => offset + 9 + whole.readUInt32LE(offset + 1) + 16
  while ((ends.at(-1) ?? 0) < whole.length) ends.push(next(ends.at(-1) ?? 0))
  expect(ends.length).toBeGreaterThan(5)
  for (const end of ends.slice(0, -1)) {
    writeFileSync(path, whole.subarray(0, end))
    const failure = startLocalnet({ port: 0, dataFolder })
    await expect(failure, `cut at ${end}`).rejects.toThrow(/records after it are missing/)
  }
  rmSync(path)
  await expect(startLocalnet({ port: 0, dataFolder })).rejects.toBeInstanceOf(DamagedLog)
  writeFileSync(path, whole)
  await (await startLocalnet({ port: 0, dataFolder })).stop()
})

test('a second chain on the same folder is refused while the first runs', async () => {
  const dataFolder = temporaryFolder()
  const chain = await startStillChain({ dataFolder })
  await expect(startLocalnet({ port: 0, dataFolder })).rejects.toBeInstanceOf(DataFolderLocked)
  expect(await chain.rpc.getHealth().send()).toBe('ok')
})

test('the chain keeps a loaded program with its upgrade authority', async () => {
  const dataFolder = temporaryFolder()
  const program = {
    address: (await generateKeyPairSigner()).address,
    bytes: await readBuiltInProgram(),
    upgradeAuthority: (await generateKeyPairSigner()).address,
  }
  const first = await startStillChain({ dataFolder, programs: [program] })
  const read = async (chain: typeof first) => {
    const { value } = await chain.rpc
      .getAccountInfo(program.address, { encoding, commitment: 'processed' })
      .send()
    return value
  }
  const account = await read(first)
  expect(account).toMatchObject({ executable: true })
  const pointer = Buffer.from(account?.data[0] ?? '', 'base64').subarray(4)
  const { value: programData } = await first.rpc
    .getAccountInfo(getAddressDecoder().decode(pointer), { encoding, commitment: 'processed' })
    .send()
  const authority = Buffer.from(programData?.data[0] ?? '', 'base64').subarray(12, 45)
  expect(authority[0]).toBe(1)
  expect(getAddressDecoder().decode(authority, 1)).toBe(program.upgradeAuthority)
  const size = statSync(join(dataFolder, 'chain.log')).size
  await first.endpoints.stop()
  const second = await startStillChain({ dataFolder })
  expect(await read(second)).toMatchObject({ executable: true })
  await second.endpoints.stop()
  const third = await startStillChain({ dataFolder, programs: [program] })
  await third.endpoints.stop()
  expect(statSync(join(dataFolder, 'chain.log')).size - size).toBeLessThan(1_000)
  const bytes = Uint8Array.from(program.bytes)
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
  await expect(
    startLocalnet({ port: 0, dataFolder, programs: [{ ...program, bytes }] }),
  ).rejects.toBeInstanceOf(DataFolderConflict)
})

/** The SPL Token program's own code, as the chain stores it after the loader's 45-byte header. */
async function readBuiltInProgram(): Promise<Uint8Array> {
  const chain = await startStillChain()
  const data = address('DoU57AYuPFu2QU514RktNPG22QhApEjnKxnBcu4BHDTY')
  const { value } = await chain.rpc
    .getAccountInfo(data, { encoding, commitment: 'processed' })
    .send()
  return new Uint8Array(Buffer.from(value?.data[0] ?? '', 'base64').subarray(45))
}
