import { beforeEach, expect, test } from 'vitest'
import type { Address } from '@solana/kit'
import { addAssetInstruction, amount, vaultAddress } from '@sotto/protocol'
import { withAccount } from './fixtures/instruction-edits.ts'
import { readAsset, startPool, type PoolFixture } from './fixtures/pool.ts'
import {
  addMetadata,
  encodeExtension,
  makeMint2022,
  makeMintWithMetadata,
  METADATA_POINTER,
  REFUSED_EXTENSIONS,
  TOKEN_2022_PROGRAM,
} from './fixtures/token-2022.ts'
import {
  encodeTokenAccount,
  MINT_DECIMALS,
  putTokenProgramAccount,
} from './fixtures/token-accounts.ts'

const LIMITS = { depositMax: amount(1n), swapCap: amount(2n), swapPeriodSeconds: 3 }
let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

async function instructionFor(mint: Address, tokenProgram: Address = TOKEN_2022_PROGRAM) {
  const { chain, admin } = fixture
  const at = { program: chain.program, admin: admin.address, payer: admin.address, mint }
  return addAssetInstruction({ ...at, tokenProgram }, LIMITS)
}

const tryAdd = async (mint: Address) =>
  (await fixture.chain.send([fixture.admin], [await instructionFor(mint)])).refusal

test('a Token-2022 mint is accepted if its only extensions are for metadata', async () => {
  const { chain } = fixture
  const mints = [
    await makeMint2022(chain),
    await makeMint2022(chain, [METADATA_POINTER]),
    await makeMintWithMetadata(chain),
  ]
  for (const { mint } of mints) {
    expect(await tryAdd(mint)).toBeUndefined()
    expect(await readAsset(fixture, mint)).toMatchObject({ kind: 2, decimals: MINT_DECIMALS, mint })
    const vault = chain.svm.getAccount(await vaultAddress(chain.program, mint))
    expect(vault).toMatchObject({ programAddress: TOKEN_2022_PROGRAM, space: 165n })
  }
})

for (const extension of REFUSED_EXTENSIONS) {
  test(`a mint with ${extension.name} is refused, even if it also has metadata`, async () => {
    const { chain } = fixture
    const alone = await makeMint2022(chain, [extension])
    expect(await tryAdd(alone.mint)).toBe('Token2022Unsupported')
    const behind = await makeMint2022(chain, [METADATA_POINTER, extension])
    await addMetadata(chain, behind)
    expect(await tryAdd(behind.mint)).toBe('Token2022Unsupported')
  })
}

test('an extension that no version of Token-2022 knows is refused', async () => {
  const { chain } = fixture
  const { mint } = await makeMint2022(chain, [METADATA_POINTER])
  const genuine = chain.data(mint) ?? new Uint8Array()
  for (const type of [28, 29, 500, 0x7fff, 0xffff]) {
    const data = Uint8Array.of(...genuine, ...encodeExtension(type, new Uint8Array(8)))
    putTokenProgramAccount(chain, mint, data, TOKEN_2022_PROGRAM)
    expect(await tryAdd(mint)).toBe('Token2022Unsupported')
  }
})

test('extensions that are laid out wrongly are refused', async () => {
  const { chain } = fixture
  const { mint } = await makeMint2022(chain, [METADATA_POINTER])
  const genuine = chain.data(mint) ?? new Uint8Array()
  const pointer = encodeExtension(18, new Uint8Array(64).fill(1))
  const head = genuine.slice(0, 166)
  const malformed = [
    genuine.slice(0, -1),
    Uint8Array.of(...genuine, 1),
    Uint8Array.of(...genuine, 19, 0, 255),
    Uint8Array.of(...genuine, 19, 0, 255, 255, 1),
    Uint8Array.of(...genuine, ...pointer),
    Uint8Array.of(...genuine, 0, 0, 0, 0, 12, 0, 0, 0),
    Uint8Array.of(...head, ...encodeExtension(18, new Uint8Array(32).fill(1))),
    Uint8Array.of(...head, ...encodeExtension(0, new Uint8Array(4).fill(1))),
  ]
  for (const [index, data] of malformed.entries()) {
    putTokenProgramAccount(chain, mint, data, TOKEN_2022_PROGRAM)
    expect(await tryAdd(mint), `${index}`).toBe('MintExtensionsMalformed')
  }
  // An extension with the greatest length that can be stated. The data that follows is one byte shorter.
  const vast = Uint8Array.of(...genuine, 19, 0, 255, 255, ...new Uint8Array(65_534).fill(1))
  putTokenProgramAccount(chain, mint, vast, TOKEN_2022_PROGRAM)
  expect(await tryAdd(mint)).toBe('MintExtensionsMalformed')
})

test('a Token-2022 account that is not an initialised mint is refused', async () => {
  const { chain, admin } = fixture
  const { mint } = await makeMint2022(chain)
  const key = (await chain.key()).address
  const plain = encodeTokenAccount(mint, admin.address, 1n)
  const extended = Uint8Array.of(...plain, 2, 7, 0, 0, 0)
  const genuine = chain.data(mint) ?? new Uint8Array()
  const unmade = new Uint8Array(genuine)
  unmade[45] = 0
  const multisig = new Uint8Array(355).fill(1)
  const padded = Uint8Array.of(...genuine, ...new Uint8Array(83).fill(9), 1)
  const shapes = [plain, extended, unmade, multisig, padded, genuine.slice(0, 81)]
  for (const data of [...shapes, new Uint8Array(82), new Uint8Array(0)]) {
    putTokenProgramAccount(chain, key, data, TOKEN_2022_PROGRAM)
    expect(await tryAdd(key), `${data.length}`).toBe('InvalidMint')
  }
})

test('a mint is refused with the other token program', async () => {
  const { chain, admin, token } = fixture
  const { mint } = await makeMint2022(chain)
  const legacy = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
  const wrong = await instructionFor(mint, legacy)
  expect((await chain.send([admin], [wrong])).refusal).toBe('WrongAddress')
  const other = withAccount(await instructionFor(mint), 3, token)
  expect((await chain.send([admin], [other])).refusal).toBe('WrongAddress')
})
