import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  compileTransactionMessage,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  setTransactionMessageFeePayer,
  type AccountMeta,
  type AccountSignerMeta,
  type Address,
  type Base58EncodedBytes,
  type CompiledTransactionMessage,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import { UPGRADEABLE_LOADER } from '@sotto/protocol'
import type { Chain } from '../../demo/src/chain.ts'

const RENT = address('SysvarRent111111111111111111111111111111111')
const CLOCK = address('SysvarC1ock11111111111111111111111111111111')
const SYSTEM = address('11111111111111111111111111111111')

/** The length of a buffer account's data before the code, and the length of a Program account's data, in bytes. */
const [BUFFER_HEAD, PROGRAM_BYTES] = [37, 36] as const
/** Number of bytes of code that fit into one transaction with two signatures. */
const CHUNK = 900
/** Maximum number of write transactions that are sent at the same time. */
const TOGETHER = 16
/** The tag in the first bytes of a buffer account, and the offset of the buffer's authority. */
const [BUFFER_KIND, AUTHORITY_AT] = [1, 5] as const

const KINDS = { initialize: 0, write: 1, deploy: 2, upgrade: 3, setAuthority: 4, close: 5 } as const

type Meta = AccountMeta | AccountSignerMeta
const writable = (one: Address): Meta => ({ address: one, role: AccountRole.WRITABLE })
const readonly = (one: Address): Meta => ({ address: one, role: AccountRole.READONLY })
const signing = (signer: KeyPairSigner): Meta => ({
  ...{ address: signer.address, signer },
  role: AccountRole.READONLY_SIGNER,
})
const paying = (signer: KeyPairSigner): Meta => ({
  ...{ address: signer.address, signer },
  role: AccountRole.WRITABLE_SIGNER,
})

function call(kind: keyof typeof KINDS, accounts: readonly Meta[], more?: Buffer): Instruction {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(KINDS[kind])
  const data = new Uint8Array(Buffer.concat([head, more ?? Buffer.alloc(0)]))
  return { programAddress: UPGRADEABLE_LOADER, accounts, data }
}

export async function programDataOf(program: Address): Promise<Address> {
  const seeds = [getAddressEncoder().encode(program)]
  return (await getProgramDerivedAddress({ programAddress: UPGRADEABLE_LOADER, seeds }))[0]
}

/** The wallet that pays for transactions, and the authority whose signature the loader requires. */
export interface Parties {
  readonly chain: Chain
  readonly payer: KeyPairSigner
  readonly authority: KeyPairSigner
}

/** Writes code into a new buffer whose authority is `parties.authority`. Returns the buffer's address. */
export async function writeBuffer(parties: Parties, code: Uint8Array): Promise<Address> {
  const { chain, payer, authority } = parties
  const newAccount = await generateKeyPairSigner()
  const space = BUFFER_HEAD + code.length
  const lamports = await chain.rpc.getMinimumBalanceForRentExemption(BigInt(space)).send()
  const programAddress = UPGRADEABLE_LOADER
  const buffer = newAccount.address
  await chain.send(payer, [
    getCreateAccountInstruction({ payer, newAccount, lamports, space, programAddress }),
    call('initialize', [writable(buffer), readonly(authority.address)]),
  ])
  const offsets = Array.from({ length: Math.ceil(code.length / CHUNK) }, (_, at) => at * CHUNK)
  while (offsets.length > 0) {
    const next = offsets.splice(0, TOGETHER)
    await Promise.all(
      next.map((offset) => {
        const bytes = code.subarray(offset, offset + CHUNK)
        const head = Buffer.alloc(12)
        head.writeUInt32LE(offset)
        head.writeBigUInt64LE(BigInt(bytes.length), 4)
        const more = Buffer.concat([head, bytes])
        return chain.send(payer, [call('write', [writable(buffer), signing(authority)], more)])
      }),
    )
  }
  return buffer
}

/** Creates a new program from a buffer. The program gets the address of the keypair `program`. */
export async function deployBuffer(
  { chain, payer, authority }: Parties,
  program: KeyPairSigner,
  buffer: Address,
  length: number,
): Promise<void> {
  const lamports = await chain.rpc.getMinimumBalanceForRentExemption(BigInt(PROGRAM_BYTES)).send()
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(length))
  const account = { payer, newAccount: program, lamports, space: PROGRAM_BYTES }
  const accounts = [
    ...[paying(payer), writable(await programDataOf(program.address)), writable(program.address)],
    ...[writable(buffer), readonly(RENT), readonly(CLOCK), readonly(SYSTEM), signing(authority)],
  ]
  await chain.send(payer, [
    getCreateAccountInstruction({ ...account, programAddress: UPGRADEABLE_LOADER }),
    call('deploy', accounts, size),
  ])
}

/**
 * Replaces a program's code with the code in a buffer. The payer gets the lamports that remain after the program's
 * rent.
 */
export async function upgradeTo(parties: Parties, program: Address, buffer: Address) {
  const { chain, payer, authority } = parties
  const accounts = [
    ...[writable(await programDataOf(program)), writable(program), writable(buffer)],
    ...[writable(payer.address), readonly(RENT), readonly(CLOCK), signing(authority)],
  ]
  await chain.send(payer, [call('upgrade', accounts)])
}

/** Sets a program's upgrade authority. If `next` is undefined, no one can ever upgrade the program again. */
export async function setAuthority(parties: Parties, program: Address, next: Address | undefined) {
  const accounts = [writable(await programDataOf(program)), signing(parties.authority)]
  const more = next === undefined ? [] : [readonly(next)]
  await parties.chain.send(parties.payer, [call('setAuthority', [...accounts, ...more])])
}

/** Sets a buffer's authority. The new authority can then upgrade its own programs with the buffer. */
export async function setBufferAuthority(parties: Parties, buffer: Address, next: Address) {
  const accounts = [writable(buffer), signing(parties.authority), readonly(next)]
  await parties.chain.send(parties.payer, [call('setAuthority', accounts)])
}

/**
 * The message of an upgrade. `authority` can be the address of a multisig's vault, for which the multisig's program
 * signs. The buffer's remaining lamports go to `spill`.
 */
export async function upgradeMessage(
  program: Address,
  buffer: Address,
  spill: Address,
  authority: Address,
): Promise<CompiledTransactionMessage> {
  const accounts = [
    ...[writable(await programDataOf(program)), writable(program), writable(buffer)],
    ...[writable(spill), readonly(RENT), readonly(CLOCK)],
    { address: authority, role: AccountRole.READONLY_SIGNER },
  ]
  const draft = setTransactionMessageFeePayer(authority, createTransactionMessage({ version: 0 }))
  const filled = appendTransactionMessageInstruction(call('upgrade', accounts), draft)
  return compileTransactionMessage(filled)
}

/** Lists the buffers of an authority with their lamports. An interrupted deployment leaves its buffer behind. */
export async function buffersOf(chain: Chain, authority: Address) {
  const head = Buffer.alloc(AUTHORITY_AT)
  head.writeUInt32LE(BUFFER_KIND)
  head[AUTHORITY_AT - 1] = 1
  const owner = Buffer.from(getAddressEncoder().encode(authority))
  const bytes = getAddressDecoder().decode(owner)
  const filters = [
    {
      memcmp: { offset: 0n, bytes: head.toString('base64') as never, encoding: 'base64' as const },
    },
    {
      memcmp: {
        offset: BigInt(AUTHORITY_AT),
        bytes: bytes as unknown as Base58EncodedBytes,
        encoding: 'base58' as const,
      },
    },
  ]
  const found = await chain.rpc
    .getProgramAccounts(UPGRADEABLE_LOADER, {
      ...{ filters, encoding: 'base64', commitment: 'confirmed' },
      dataSlice: { offset: 0, length: 0 },
    })
    .send()
  return found.map(({ pubkey, account }) => ({ buffer: pubkey, lamports: account.lamports }))
}

/** Closes a buffer. The payer gets its lamports. */
export async function closeBuffer({ chain, payer, authority }: Parties, buffer: Address) {
  const accounts = [writable(buffer), writable(payer.address), signing(authority)]
  await chain.send(payer, [call('close', accounts)])
}
