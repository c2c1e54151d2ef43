import type { Address, Instruction, KeyPairSigner } from '@solana/kit'
import {
  amount,
  authorisationInstruction,
  depositInstruction,
  fieldToBytes,
  leafOf,
  orderAddress,
  ORDER_BYTES,
  PAYLOAD_BYTES,
  termsDigest,
  unixSeconds,
  type DepositTerms,
} from '@sotto/protocol'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { gridBefore } from '../fixtures/grid.ts'
import { withFlippedBit } from '../fixtures/instruction-edits.ts'
import { DOMAIN } from '../fixtures/pool.ts'
import type { Attempt, Run } from './attempt.ts'
import { applyDeposit, depositReasons, type SentDeposit } from './deposit-rules.ts'
import { count } from './history.ts'
import { bytesOf } from './snapshot-orders.ts'
import type { DepositStep } from './steps.ts'
import type { World } from './world.ts'

const [INNER_OFFSET, PAYLOAD_OFFSET] = [58, 90]
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytesOfHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const wrap = (value: bigint) => amount(BigInt.asUintN(64, value))

/** The deposit transaction of a step. */
export async function depositAttempt(run: Run, step: DepositStep): Promise<Attempt> {
  const { world } = run.snapshot
  const { senders, poor, authorisers, partner } = world.actors
  const { hostility } = step
  const isPoor = hostility === 'nothing to pay with'
  const sender = isPoor ? poor : (senders[step.sender % senders.length] as KeyPairSigner)
  const terms = termsOf(run, step, sender.address, await world.pocket(partner.address, step.source))
  const authoriser = authorisers[hostility === 'unknown key' ? 2 : step.key]
  const { chain, domain } = world.fixture
  const signedDomain = hostility === 'other domain' ? bytesOf('other domain') : domain
  const digest = termsDigest({ program: chain.program, domain: signedDomain }, terms)
  const authorisation = authorisationInstruction(
    authoriser.publicKey,
    authoriser.sign(digest),
    digest,
  )
  const honest = await depositOf(world, terms)
  const isAltered = hostility === 'altered after signing'
  const deposit = isAltered ? withFlippedBit(honest, PAYLOAD_OFFSET) : honest
  const isSigned = !isAltered && hostility !== 'other domain'
  const sent = await sentOf(world, step, terms, { signer: authoriser.address, isSigned })
  return depositAttemptOf(run, sent, sender, [authorisation, deposit])
}

/** The attempt for a prepared deposit. */
export function depositAttemptOf(
  run: Run,
  sent: SentDeposit,
  sender: KeyPairSigner,
  instructions: readonly Instruction[],
): Attempt {
  const { model } = run
  const { clock } = model
  const inventoryBefore = model.assets[sent.destination].inventory
  return {
    signers: [sender],
    payees: [],
    instructions,
    reasons: depositReasons(model, sent),
    apply: () => applyDeposit(model, sent),
    record: (history) => {
      count(history.deposits, sent.orderId)
      history.open[sent.destination] += sent.value
      if (sent.source !== sent.destination) {
        const { destination: asset, value } = sent
        history.swaps.push({ asset, inventoryBefore, value, clock })
      }
      if (clock > sent.deadline) history.lateness = 'a deposit after its deadline'
    },
  }
}

function termsOf(
  { model, snapshot }: Run,
  step: DepositStep,
  sender: Address,
  partnerPocket: Address,
): DepositTerms {
  const { hostility, isSwap, source } = step
  const { mints } = snapshot.world
  const isAt = (name: typeof hostility) => hostility === name
  const known = [...model.orders.keys()]
  const orderId = isAt('known order') ? known[step.sender % Math.max(known.length, 1)] : undefined
  const deadline = deadlineOf(model, hostility)
  const isWrapping = isAt('wrapping amounts')
  const value = isWrapping ? wrap(-step.value) : amount(step.value)
  const partnerFee = amount(step.partnerFee)
  const oneMore = isAt('off by one') ? 1n : 0n
  const destinationMint = mints[isSwap ? ((1 - source) as 0 | 1) : source]
  return {
    orderId: orderId === undefined ? bytesOf(`draft ${model.tree.size}`, 16) : bytesOfHex(orderId),
    sender,
    sourceMint: mints[source],
    destinationMint,
    // The program doesn't check a swap's price. An honest swap pays in the partner's share and a tenth of the note's
    // value. A swap that is off by one pays in one unit less than the partner's share.
    amountIn: isSwap
      ? wrap(isAt('off by one') ? partnerFee - 1n : partnerFee + step.value / 10n)
      : wrap(value + partnerFee + oneMore),
    value,
    partnerFee,
    partnerAccount: step.partnerFee > 0n ? partnerPocket : undefined,
    deadline: unixSeconds(deadline),
    validUntil: unixSeconds(validUntil(hostility, model.clock, deadline)),
    inner: BigInt(model.tree.size + 1),
    payload: new Uint8Array(PAYLOAD_BYTES),
  }
}

/** The latest allowed deadline on the grid, or a deadline that isn't allowed. */
function deadlineOf(
  { clock, maxDepositSeconds }: Run['model'],
  hostility: DepositStep['hostility'],
): bigint {
  const last = gridBefore(clock + maxDepositSeconds)
  if (hostility === 'deadline passed') return gridBefore(clock - 1n)
  if (hostility === 'deadline too far') return last + 600n
  return hostility === 'deadline off grid' ? last - 1n : last
}

function validUntil(hostility: DepositStep['hostility'], clock: bigint, deadline: bigint): bigint {
  if (hostility === 'authorisation passed') return clock - 1n
  return hostility === 'authorisation outlives' ? deadline + 1n : deadline
}

/** The facts of the deposit that the program checks. */
export async function sentOf(
  world: World,
  { source, isSwap }: Pick<DepositStep, 'source' | 'isSwap'>,
  terms: DepositTerms,
  by: { readonly signer: Address; readonly isSigned: boolean },
): Promise<SentDeposit> {
  const { chain } = world.fixture
  return {
    ...terms,
    ...by,
    orderId: hexOf(terms.orderId),
    orderAccount: await orderAccountOf(world, terms.orderId),
    orderRent: chain.rentMinimum(ORDER_BYTES),
    source,
    destination: isSwap ? ((1 - source) as 0 | 1) : source,
    senderPocket: await world.pocket(terms.sender, source),
    partnerPocket: await world.pocket(world.actors.partner.address, source),
    vault: world.vaults[source],
    leaf: leafOf(poseidon, DOMAIN, { ...terms, mint: terms.destinationMint }),
  }
}

const orderAccounts = new Map<string, Address>()
/**
 * The address of an order's account. Deriving it takes as long as sending a transaction, and sequences repeat order
 * ids. So addresses are cached.
 */
async function orderAccountOf(world: World, orderId: Uint8Array): Promise<Address> {
  const key = hexOf(orderId)
  const found = orderAccounts.get(key) ?? (await orderAddress(world.fixture.chain.program, orderId))
  orderAccounts.set(key, found)
  return found
}

const templates = new Map<string, Instruction>()
/** The deposit's instruction. The account list is copied from an earlier deposit of the same parties. */
async function depositOf(world: World, terms: DepositTerms): Promise<Instruction> {
  const { sourceMint, destinationMint, sender, partnerAccount } = terms
  const key = [sourceMint, destinationMint, sender, partnerAccount ?? ''].join()
  const { chain, tree } = world.fixture
  const senderToken = await world.pocket(sender, 1)
  const at = { program: chain.program, tree, senderToken }
  const template = templates.get(key) ?? (await depositInstruction(at, terms))
  templates.set(key, template)
  const order = await orderAccountOf(world, terms.orderId)
  const accounts = (template.accounts ?? []).map((meta, index) =>
    index === 3 ? { ...meta, address: order } : meta,
  )
  return { ...template, accounts, data: depositData(template, terms) }
}

function depositData(template: Instruction, terms: DepositTerms): Uint8Array {
  const data = new Uint8Array(template.data ?? [])
  const view = new DataView(data.buffer)
  data.set(terms.orderId, 2)
  const numbers = [terms.amountIn, terms.value, terms.partnerFee]
  const times = [terms.deadline, terms.validUntil]
  for (const [index, number] of [...numbers, ...times].entries()) {
    view.setBigUint64(18 + 8 * index, number, true)
  }
  data.set(fieldToBytes(terms.inner), INNER_OFFSET)
  data.set(terms.payload, PAYLOAD_OFFSET)
  return data
}
