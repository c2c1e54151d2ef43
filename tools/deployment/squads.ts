import {
  AccountRole,
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  type AccountMeta,
  type AccountSignerMeta,
  type Address,
  type CompiledTransactionMessage,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Chain } from '../../demo/src/chain.ts'
import type { Treasury } from '../../demo/src/stack/treasury.ts'

/** The program Squads v4, the multisig that operators on mainnet use most. */
const SQUADS = address('SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf')
const SYSTEM = address('11111111111111111111111111111111')
const [MEMBERS, THRESHOLD] = [3, 2] as const
/** The permissions of a member who may propose, vote and execute. */
const ALL_RIGHTS = 7
/** Lamports that each member gets, for the rent of proposals and for fees. */
const MEMBER_LAMPORTS = 500_000_000n
const CONFIG_LAMPORTS = 10_000_000

const bytesOf = (one: Address): Buffer => Buffer.from(getAddressEncoder().encode(one))
const anchorName = (name: string): Buffer =>
  createHash('sha256').update(name).digest().subarray(0, 8)
const u16 = (value: number): Buffer => Buffer.from(Uint16Array.of(value).buffer)
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)
const u64 = (value: bigint): Buffer => Buffer.from(BigUint64Array.of(value).buffer)
const NONE = Buffer.of(0)

async function derived(...seeds: (string | Buffer)[]): Promise<Address> {
  const parts = { programAddress: SQUADS, seeds: ['multisig', ...seeds] }
  return (await getProgramDerivedAddress(parts))[0]
}

type Meta = AccountMeta | AccountSignerMeta
const writable = (one: Address): Meta => ({ address: one, role: AccountRole.WRITABLE })
const readonly = (one: Address): Meta => ({ address: one, role: AccountRole.READONLY })
const signing = (signer: KeyPairSigner): Meta => ({
  ...{ address: signer.address, signer },
  role: AccountRole.WRITABLE_SIGNER,
})

const call = (name: string, accounts: readonly Meta[], ...args: Buffer[]): Instruction => ({
  programAddress: SQUADS,
  accounts,
  data: new Uint8Array(Buffer.concat([anchorName(`global:${name}`), ...args])),
})

/**
 * The validator's arguments for a genesis block with two accounts: the multisig program from the file `program`, and
 * its configuration. The configuration sets no fee for a new multisig. The function writes it to a file in `folder`.
 */
export async function genesisWithSquads(program: string, folder: string): Promise<string[]> {
  const config = await derived('program_config')
  const data = Buffer.concat([
    anchorName('account:ProgramConfig'),
    ...[bytesOf(SYSTEM), u64(0n), bytesOf(await treasuryAddress()), Buffer.alloc(64)],
  ])
  const account = {
    ...{ lamports: CONFIG_LAMPORTS, data: [data.toString('base64'), 'base64'], owner: SQUADS },
    ...{ executable: false, rentEpoch: 0, space: data.length },
  }
  const file = path.join(folder, 'program-config.json')
  await writeFile(file, JSON.stringify({ pubkey: config, account }))
  return ['--bpf-program', SQUADS, program, '--account', config, file]
}

const treasuryAddress = () => derived('treasury of a test')

/** The parts of a message that a proposal stores, in the encoding of Squads. */
function encodeMessage(message: CompiledTransactionMessage): Buffer {
  const { header, staticAccounts, instructions } = message as Extract<
    CompiledTransactionMessage,
    { readonly version: 0 }
  >
  const { numSignerAccounts: signers, numReadonlySignerAccounts, ...rest } = header
  const others = staticAccounts.length - signers
  return Buffer.concat([
    Buffer.of(signers, signers - numReadonlySignerAccounts),
    Buffer.of(others - rest.numReadonlyNonSignerAccounts, staticAccounts.length),
    ...staticAccounts.map(bytesOf),
    Buffer.of(instructions.length),
    ...instructions.flatMap(({ programAddressIndex, accountIndices = [], data }) => [
      Buffer.of(programAddressIndex, accountIndices.length, ...accountIndices),
      ...[u16(data?.length ?? 0), Buffer.from(data ?? [])],
    ]),
    NONE,
  ])
}

/**
 * The accounts of a message, as the instruction that executes a proposal lists them. The vault doesn't sign the
 * transaction: Squads signs for it during the execution.
 */
function accountsOf(message: CompiledTransactionMessage): Meta[] {
  const { header, staticAccounts } = message
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  const isWritable = (place: number) =>
    place < numSignerAccounts
      ? place < numSignerAccounts - numReadonlySignerAccounts
      : place < staticAccounts.length - numReadonlyNonSignerAccounts
  return staticAccounts.map((one, place) => (isWritable(place) ? writable(one) : readonly(one)))
}

/** A multisig with three members, two of whom must approve. */
export class Squads {
  /** The address for which the multisig signs transactions that its members have approved. */
  readonly vault: Address
  readonly #chain: Chain
  readonly #multisig: Address
  readonly #members: readonly KeyPairSigner[]
  #proposals = 0n

  private constructor(
    chain: Chain,
    multisig: Address,
    vault: Address,
    members: readonly KeyPairSigner[],
  ) {
    this.#chain = chain
    this.#multisig = multisig
    this.vault = vault
    this.#members = members
  }

  /** Creates a multisig on a cluster that has the program. The treasury funds its members. */
  static async create(chain: Chain, treasury: Pick<Treasury, 'fund'>): Promise<Squads> {
    const key = await generateKeyPairSigner()
    const members = await Promise.all(
      Array.from({ length: MEMBERS }, () => generateKeyPairSigner()),
    )
    for (const { address: member } of members) await treasury.fund(member, MEMBER_LAMPORTS)
    const [creator] = members as [KeyPairSigner]
    const multisig = await derived('multisig', bytesOf(key.address))
    const accounts = [
      ...[readonly(await derived('program_config')), writable(await treasuryAddress())],
      ...[writable(multisig), signing(key), signing(creator), readonly(SYSTEM)],
    ]
    const rights = members.flatMap((one) => [bytesOf(one.address), Buffer.of(ALL_RIGHTS)])
    const rules = [NONE, u16(THRESHOLD), u32(MEMBERS), ...rights, u32(0), NONE, NONE]
    await chain.send(creator, [call('multisig_create_v2', accounts, ...rules)])
    const vault = await derived(bytesOf(multisig), 'vault', Buffer.of(0))
    return new Squads(chain, multisig, vault, members)
  }

  /**
   * Imports a transaction in base58, as the option `--unsigned` prints it. Then the members approve it and execute it.
   *
   * @throws Error if the transaction can be executed with fewer approvals, or if the program refuses it.
   */
  execute(transactionBase58: string): Promise<void> {
    const { messageBytes } = getTransactionDecoder().decode(
      getBase58Encoder().encode(transactionBase58),
    )
    return this.executeMessage(getCompiledTransactionMessageDecoder().decode(messageBytes))
  }

  /**
   * Proposes a message, lets the members approve it, and executes it. @throws Error for the same reasons as `execute`.
   */
  async executeMessage(message: CompiledTransactionMessage): Promise<void> {
    const [first, second, third] = this.#members as [KeyPairSigner, KeyPairSigner, KeyPairSigner]
    const chain = this.#chain
    const multisig = this.#multisig
    this.#proposals += 1n
    const index = u64(this.#proposals)
    const transaction = await derived(bytesOf(multisig), 'transaction', index)
    const proposal = await derived(bytesOf(multisig), 'transaction', index, 'proposal')
    const encoded = encodeMessage(message)
    const paid = [signing(first), signing(first), readonly(SYSTEM)]
    const content = [Buffer.of(0, 0), u32(encoded.length), encoded, NONE]
    await chain.send(first, [
      call(
        'vault_transaction_create',
        [writable(multisig), writable(transaction), ...paid],
        ...content,
      ),
    ])
    await chain.send(first, [
      call('proposal_create', [readonly(multisig), writable(proposal), ...paid], index, NONE),
    ])
    const approve = (member: KeyPairSigner) =>
      chain.send(member, [
        call('proposal_approve', [readonly(multisig), signing(member), writable(proposal)], NONE),
      ])
    const execute = () =>
      chain.send(third, [
        call('vault_transaction_execute', [
          ...[readonly(multisig), writable(proposal), readonly(transaction), signing(third)],
          ...accountsOf(message),
        ]),
      ])
    await approve(first)
    const isRefused = await execute().then(
      () => false,
      () => true,
    )
    if (!isRefused) throw new Error('the multisig executes with one approval of two')
    await approve(second)
    await execute()
  }
}
