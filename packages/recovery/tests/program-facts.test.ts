import { createSolanaRpcFromTransport, type Address, type RpcTransport } from '@solana/kit'
import {
  DEVELOPMENT_KEY,
  NATIVE_MINT,
  programDataAddress,
  PROGRAM_SHA256,
  UPGRADEABLE_LOADER,
} from '@sotto/protocol'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readProgramFacts } from '../index.ts'

const code = readFileSync(new URL('../../../program/artefacts/sotto_program.so', import.meta.url))
const PROGRAM = '11111111111111111111111111111112' as Address

/** An endpoint that has one account, and records its requests. */
function endpointWith(account: Uint8Array | undefined) {
  const asked: unknown[] = []
  const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) => {
    const { id, method, params } = payload as { id: string; method: string; params: unknown[] }
    asked.push([method, params[0]])
    const data = [Buffer.from(account ?? []).toString('base64'), 'base64']
    const value =
      account === undefined
        ? null
        : { data, owner: UPGRADEABLE_LOADER, lamports: 1, space: account.length }
    const result = { context: { slot: 1 }, value }
    return Promise.resolve({ jsonrpc: '2.0', id, result } as Response)
  }
  return { rpc: createSolanaRpcFromTransport(transport), asked }
}

/** The loader's account of the committed program, without an upgrade authority. */
function record(): Uint8Array {
  const data = new Uint8Array(45 + code.length)
  data[0] = 3
  data.set(code, 45)
  return data
}

it('returns the facts about a program in one call', async () => {
  const { rpc, asked } = endpointWith(record())
  const facts = await readProgramFacts(rpc, PROGRAM)
  const known = { sha256: PROGRAM_SHA256, isExpected: true, hasDevelopmentKey: DEVELOPMENT_KEY }
  expect(facts).toEqual({ upgradeAuthority: null, ...known })
  expect(asked).toEqual([['getAccountInfo', await programDataAddress(PROGRAM)]])
})

it('throws if the program is missing or was not deployed with the upgradeable loader', async () => {
  const nothing = readProgramFacts(endpointWith(undefined).rpc, PROGRAM)
  await expect(nothing).rejects.toThrow(/no record of the program/)
  const other = readProgramFacts(endpointWith(new Uint8Array(200)).rpc, NATIVE_MINT)
  await expect(other).rejects.toThrow(/record of a program/)
})
