import { getBase58Decoder, type Address, type Signature } from '@solana/kit'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import {
  addressBytes,
  assetAddress,
  ASSET_BYTES,
  depositInstruction,
  emptySubtrees,
  fieldToBytes,
  leafOfNote,
  innerCommitment,
  NATIVE_MINT,
  NULLIFIER_BYTES,
  nullifierAddress,
  poolAddress,
  POOL_BYTES,
  RECENT,
  settleInstruction,
  TREE_BYTES,
  TREE_LEVELS,
  unixSeconds,
  type Note,
  type DataSlice,
  type Settlement,
  amount,
} from '@sotto/protocol'
import { base64Of } from './base64-of.ts'
import { recordOf, type Instruction } from './record-of.ts'

export const PROGRAM = 'Sotto11111111111111111111111111111111111111' as Address
export const TREE = 'TreeTreeTreeTreeTreeTreeTreeTreeTreeTree111' as Address
export const DOMAIN = new Uint8Array(32).fill(9)
const SYSTEM = '11111111111111111111111111111111' as Address
const SYSVAR = 'Sysvar1111111111111111111111111111111111111' as Address
const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address
const BASE58 = getBase58Decoder()

interface Listed {
  readonly signature: Signature
  readonly slot: number
  readonly err: object | null
  readonly record: object
  readonly blockTime: number
}

interface Account {
  readonly owner: Address
  readonly data: Uint8Array
}

/** An error response of a node. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The parts of a node that recovery uses: a tree as the program stores it, and the transactions that named the tree.
 */
export class FakeChain {
  readonly transactions: Listed[] = []
  readonly accounts = new Map<Address, Account>()
  readonly #left = Array.from({ length: TREE_LEVELS }, () => [0n, 0n, 0n])
  readonly #empty = emptySubtrees(poseidon)
  readonly #tree = new Uint8Array(TREE_BYTES)
  #size = 0
  /** If true, the transactions of each slot are listed in the wrong order. Blocks keep their order. */
  isUnordered = false
  slot = 1_000
  clock = 1_799_998_000

  async open(): Promise<this> {
    const pool = new Uint8Array(POOL_BYTES)
    pool[0] = 1
    pool.set(DOMAIN, 104)
    pool.set(addressBytes(TREE), 136)
    this.accounts.set(await poolAddress(PROGRAM), { owner: PROGRAM, data: pool })
    const asset = new Uint8Array(ASSET_BYTES)
    asset[0] = 3
    asset.set(addressBytes(NATIVE_MINT), 8)
    this.accounts.set(await assetAddress(PROGRAM, NATIVE_MINT), { owner: PROGRAM, data: asset })
    this.#tree[0] = 2
    this.accounts.set(TREE, { owner: PROGRAM, data: this.#tree })
    return this
  }

  get size(): number {
    return this.#size
  }

  /** Adds a deposit of a note in native SOL as a separate transaction. */
  async deposit(note: Note, orderId: Uint8Array): Promise<void> {
    const instruction = await depositInstruction(
      { program: PROGRAM, tree: TREE },
      {
        ...{ orderId, sender: note.sender, sourceMint: note.mint, destinationMint: note.mint },
        ...{ amountIn: note.value, value: note.value, partnerFee: amount(0n) },
        ...{ deadline: note.deadline, validUntil: note.deadline },
        inner: innerCommitment(poseidon, note),
        payload: new Uint8Array(65),
      },
    )
    this.#land(note.sender, [instruction])
    this.append(leafOfNote(poseidon, DOMAIN, note))
  }

  /**
   * Adds a settlement without checking its proof. By default, the Nullifier account shows the chain's clock as the
   * settlement's time.
   */
  async settle(settlement: Settlement, closableAt?: number, payer = settlement.payee) {
    const at = { program: PROGRAM, tree: TREE, payer }
    const instruction = await settleInstruction(at, NATIVE_MINT, settlement)
    this.#land(payer, [instruction])
    const nullifier = await nullifierAddress(PROGRAM, settlement.nullifier)
    this.named.set(nullifier, [this.transactions.at(-1)!])
    const data = new Uint8Array(NULLIFIER_BYTES)
    data[0] = 5
    // By default, the clock plus all periods that must pass after a settlement before its Nullifier may be closed.
    const seconds = closableAt ?? this.clock + 3_600 + 2_595_600 + 2_592_000 + 3_600 + 86_400
    new DataView(data.buffer).setUint32(4, seconds, true)
    this.accounts.set(nullifier, { owner: PROGRAM, data })
    this.append(settlement.changeLeaf)
  }

  /** Transactions that named an account other than the tree. */
  readonly named = new Map<Address, Listed[]>()

  /** Appends leaves of other users, each by a settlement. It is fast enough for many leaves. */
  fill(leaves: readonly bigint[], perSlot = 1): void {
    leaves.forEach((leaf, index) => {
      if (index % perSlot === 0) this.slot += 1
      this.#land(SYSTEM, [changeInstruction(leaf)], false)
      this.append(leaf, index + 1 === leaves.length)
    })
  }

  /** Adds a refund in a full tree. Its transaction contains a leaf that the tree didn't accept. */
  refundWithoutLeaf(leaf: bigint): void {
    this.#land(SYSTEM, [changeInstruction(leaf)], false)
  }

  /** Adds a transaction that failed, or that only names the tree. */
  spam(kind: 'landed' | 'failed'): void {
    const accounts = [{ address: TREE }]
    this.#land(
      SYSTEM,
      [{ programAddress: SYSTEM, accounts, data: new Uint8Array([2, 0, 0, 0]) }],
      true,
      kind === 'failed' ? { InstructionError: [0, 'InvalidArgument'] } : null,
    )
  }

  /**
   * Appends a leaf without a transaction. With `withRoot` false, skips computing the root, because only the newest
   * root is ever needed.
   */
  append(leaf: bigint, withRoot = true): void {
    const index = this.#size
    let node = leaf
    let isFinished = true
    for (let level = 0; level < TREE_LEVELS && (withRoot || isFinished); level += 1) {
      const place = Math.floor(index / 4 ** level) % 4
      const left = this.#left[level]!
      const children = [0, 1, 2, 3].map((child) =>
        child < place ? left[child]! : child === place ? node : this.#empty[level]!,
      )
      if (isFinished && place < 3) {
        left[place] = node
        this.#tree.set(fieldToBytes(node), 64 + (level * 3 + place) * 32)
      }
      isFinished &&= place === 3
      if (withRoot || isFinished) node = poseidon(children)
    }
    this.#record(leaf, node)
  }

  /** The node's response to a JSON-RPC method. @throws Error for a method that the tests don't need. */
  answer(method: string, params: readonly unknown[]): unknown {
    const [first, options] = params as [string, Record<string, unknown> | undefined]
    switch (method) {
      case 'getAccountInfo':
        return { context: { slot: this.slot }, value: this.#shown(first as Address, options) }
      case 'getMultipleAccounts': {
        const value = (params[0] as readonly Address[]).map((one) => this.#shown(one))
        return { context: { slot: this.slot }, value }
      }
      case 'getSignaturesForAddress':
        return this.#list(first as Address, options ?? {})
      case 'getTransaction':
        return this.#bySignature.get(first)?.record ?? null
      case 'getBlock': {
        const inBlock = this.transactions.filter(({ slot }) => slot === Number(first))
        return { signatures: inBlock.map(({ signature }) => signature) }
      }
      default:
        throw new Error(`this node knows no ${method}`)
    }
  }

  /** Deletes the first `before` transactions, as nodes delete old history. */
  prune(before: number): void {
    for (const { signature } of this.transactions.splice(0, before)) {
      this.#bySignature.delete(signature)
    }
  }

  /** Replaces the node's history by these transactions. */
  restore(transactions: readonly Listed[]): void {
    this.transactions.splice(0, this.transactions.length, ...transactions)
    for (const one of transactions) this.#bySignature.set(one.signature, one)
  }

  readonly #bySignature = new Map<string, Listed>()

  #land(
    payer: Address,
    instructions: readonly Instruction[],
    isNewSlot = true,
    err: object | null = null,
  ): void {
    if (isNewSlot) this.slot += 1
    const number = this.transactions.length + 1
    const bytes = new Uint8Array(64)
    new DataView(bytes.buffer).setFloat64(0, number)
    new DataView(bytes.buffer).setFloat64(8, Math.random())
    const signature = BASE58.decode(bytes) as Signature
    const record = recordOf(payer, instructions, this.slot, err)
    const listed = { signature, slot: this.slot, err, record, blockTime: this.clock }
    this.transactions.push(listed)
    this.#bySignature.set(signature, listed)
  }

  #record(leaf: bigint, root: bigint): void {
    const entry = 1_312 + (this.#size % RECENT) * 64
    this.#tree.set(fieldToBytes(leaf), entry)
    this.#tree.set(fieldToBytes(root), entry + 32)
    this.#size += 1
    const hour = Math.floor(this.clock / 3_600)
    const view = new DataView(this.#tree.buffer)
    view.setBigUint64(8, BigInt(this.#size), true)
    view.setBigUint64(16, BigInt(hour), true)
    this.#tree.set(fieldToBytes(root), 66_848 + (hour % 1_536) * 32)
  }

  #shown(address: Address, { dataSlice }: { readonly dataSlice?: unknown } = {}) {
    const clock = new Uint8Array(40)
    new DataView(clock.buffer).setBigInt64(32, BigInt(this.clock), true)
    const account = address === CLOCK ? { owner: SYSVAR, data: clock } : this.accounts.get(address)
    if (account === undefined) return null
    const data = [base64Of(account.data, dataSlice as DataSlice | undefined), 'base64']
    return { owner: account.owner, data, lamports: 1, space: account.data.length }
  }

  #list(address: Address, { before, until, limit }: Record<string, unknown>) {
    const named = address === TREE ? this.transactions : (this.named.get(address) ?? [])
    const all = this.isUnordered
      ? named.toReversed().sort((one, other) => one.slot - other.slot)
      : named
    const end = before === undefined ? all.length : this.#place(all, before as string)
    const start = until === undefined ? 0 : this.#place(all, until as string) + 1
    const page = all.slice(Math.max(start, end - (limit as number)), end).toReversed()
    return page.map(({ record: _, ...listed }) => listed)
  }

  #place(all: readonly Listed[], signature: string): number {
    const listed = this.#bySignature.get(signature)
    // Agave has returned this error since version 4.0.
    if (listed === undefined) throw new NodeRefusal(-32_020, `Transaction ${signature} not found`)
    return all.indexOf(listed)
  }
}

export const note = (changes: Partial<Note> = {}): Note => ({
  nk: 77n,
  claim: {
    kind: 'transfer',
    recipient: 'Ed25519SigVerify111111111111111111111111111' as Address,
    amountOut: amount(900n),
  },
  sender: 'Sysvar1nstructions1111111111111111111111111' as Address,
  mint: NATIVE_MINT,
  value: amount(1_000n),
  deadline: unixSeconds(1_799_998_200n),
  expiry: unixSeconds(1_800_000_600n),
  ...changes,
})

/** An instruction like a settlement, in which only the tag and the change leaf are set. */
function changeInstruction(leaf: bigint): Instruction {
  const data = new Uint8Array(381)
  data[0] = 9
  data.set(fieldToBytes(leaf), 85)
  return { programAddress: PROGRAM, accounts: [{ address: TREE }], data }
}
