import { NATIVE_MINT, type Address, amount, unixSeconds } from '@sotto/protocol'
import type {
  ChainPay,
  PayeeState,
  ChainUpkeep,
  Closable,
} from '../../packages/server/src/ports/settlement-chain.ts'
import { CLOSE_DELAY_SECONDS, NULLIFIER_SECONDS } from '@sotto/protocol'
import { signatureIn, wireOf, type FakeSignatures } from './fake-signatures.ts'
import { tokenKey } from './ledger.ts'
import type { Node } from './node.ts'
import { LAMPORTS_PER_BYTE } from './rent.ts'

/**
 * The program's errors for a settlement that names an empty entry of the Tree account, or an entry whose root differs
 * from the proof's root.
 */
const ROOT_REFUSED: readonly string[] = ['unknown_root', 'proof_invalid']

/** The chain port for paying notes. Each request may reach a different node. */
export function payPort(node: () => Node, signatures: FakeSignatures): ChainPay {
  return {
    readClock: async () => unixSeconds(node().at('confirmed').unixSeconds),
    readPayee: async (mint, wallet) => payeeState(node(), mint, wallet),
    readBalances: async (wallets) => {
      const { chain, ...at } = viewOf(node())
      const balances = wallets.map((wallet) => amount(chain.ledger.lamportsOf(wallet, at.position)))
      return { balances, lamportsPerByte: LAMPORTS_PER_BYTE }
    },
    readNullifiers: async (nullifiers, slotMin) => {
      const at = node()
      const { position, slot } = at.reached(slotMin)
      const settled = nullifiers.map((nullifier) => {
        const account = at.chain.ledger.nullifiers.read(nullifier.toString(16), position)
        if (account === undefined || account === null) return undefined
        return { atSeconds: account.settledAt, rentPayer: account.rentPayer }
      })
      return { slot: BigInt(slot), settled }
    },
    sign: async ({ relayer, mint, settlement, opensAccount, unitPrice }) => {
      const message = { kind: 'settle', mint, settlement, opensAccount, unitPrice } as const
      const transaction = signatures.sign(relayer.address, message, node().at('confirmed'))
      return {
        signature: transaction.signature,
        wire: wireOf(transaction),
        lastValidBlockHeight: BigInt(transaction.lastValidHeight),
      }
    },
    simulate: async ({ signature }) => {
      const transaction = signatures.read(signature)
      const at = node()
      const base = transaction.lastValidHeight
      if (at.at('confirmed').height > base) throw new Error('the blockhash is not found')
      // A lagging node would simulate on an older state, in which nearly every transaction succeeds. So a lagging node
      // skips the simulation.
      const failure = at.isBehind ? undefined : at.chain.simulate(transaction)
      if (failure === undefined) return 'accepted'
      return ROOT_REFUSED.includes(failure) ? 'root_refused' : 'refused'
    },
    broadcast: async (wire) => node().chain.mempool.add(signatures.read(signatureIn(wire))),
    isInBlock: async (signature) => {
      const { position } = viewOf(node())
      return node().chain.ledger.landed.some(
        (landed) => landed.transaction.signature === signature && landed.position <= position,
      )
    },
    findSettlement: async (nullifier) => {
      const at = node()
      if (at.faults.fires('missing_history', 'node')) return undefined
      const { position } = at.at('finalized')
      for (const landed of at.chain.ledger.landed) {
        const { message, signature } = landed.transaction
        if (landed.position > position || landed.failure !== undefined) continue
        if (message.kind !== 'settle' || message.settlement.nullifier !== nullifier) continue
        if (at.endpoint.hasLost(signature)) return undefined
        const { slot, unixSeconds } = landed
        const { isRefund, changeLeaf, payee, payout } = message.settlement
        const paid = { isRefund, changeLeaf, payee, payout }
        return { ...paid, signature, slot: BigInt(slot), unixSeconds }
      }
      return undefined
    },
  }
}

/** The maximum number of blocks between the two parts of an inconsistent answer. */
const TORN_BLOCKS_MAX = 150

const withBlock = (node: Node) => {
  const { slot, position } = node.at('finalized')
  return { chain: node.chain, slot, position }
}

const viewOf = (node: Node) => ({
  chain: node.chain,
  position: node.at('confirmed').position,
})

/** Whether a wallet can receive an asset, at the commitment `confirmed`. */
export function payeeState(node: Node, mint: Address, wallet: Address): PayeeState {
  const { chain, position } = viewOf(node)
  if (mint === NATIVE_MINT) {
    if (chain.ledger.turned.read(wallet, position) === true) return 'blocked'
    return chain.ledger.lamportsOf(wallet, position) > 0n ? 'payable' : 'absent'
  }
  const account = chain.ledger.tokens.read(tokenKey(mint, wallet), position)
  if (account === undefined || account === null) return 'absent'
  return account.isBlocked ? 'blocked' : 'payable'
}

/** The chain port for upkeep. */
export function upkeepPort(
  node: () => Node,
  signatures: FakeSignatures,
  mints: readonly Address[],
): ChainUpkeep {
  return {
    readBooks: async () => {
      const asked = node()
      const { chain, ...at } = withBlock(asked)
      const count = chain.ledger.leavesAt(at.position)
      // An inconsistent answer has the vaults and the root of an older block, but the books of the newest block.
      const isTorn = asked.endpoint.tearsBooks()
      const back = isTorn ? asked.faults.random.between(5, TORN_BLOCKS_MAX) : 0
      const old = chain.blockAt('finalized', back).position
      const rootCount = isTorn ? chain.ledger.leavesAt(old) : count
      return {
        slot: BigInt(at.slot),
        nextLeaf: BigInt(count),
        root: rootCount === 0 ? 0n : chain.ledger.rootAfter(rootCount - 1),
        assets: mints.map((mint) => {
          const { held, owed, fees, inventory } = chain.ledger.assetOf(mint, at.position)
          return {
            mint,
            rent: 0n,
            held: isTorn ? chain.ledger.assetOf(mint, old).held : held,
            ...{ owed: amount(owed), fees: amount(fees), inventory: amount(inventory) },
          }
        }),
      }
    },
    // A worker calls this method only if it has a verifier of proofs, and no simulated worker has one.
    readSettled: async () => [],
    // No other transaction on this chain pays for priority. So the recent price is 0, and only attempts that didn't
    // land raise the service's price.
    readRecentPrice: async () => (node().at('confirmed'), 0n),
    listClosable: async () => closableAt(node()),
    close: async (relayer, closable, unitPrice) => {
      const at = node()
      const message = { kind: 'close', closable, unitPrice } as const
      const transaction = signatures.sign(relayer.address, message, at.at('confirmed'))
      if (at.chain.simulate(transaction) !== undefined)
        throw new Error('the accounts cannot be closed now')
      at.chain.mempool.add(transaction)
    },
  }
}

function closableAt(node: Node): Closable[] {
  const { ledger } = node.chain
  const { position, unixSeconds } = node.at('finalized')
  const closable: Closable[] = []
  for (const key of ledger.orders.keys()) {
    const order = ledger.orders.read(key, position)
    if (order === undefined || order === null) continue
    if (unixSeconds < order.deadline + CLOSE_DELAY_SECONDS) continue
    closable.push({ kind: 'order', account: key as Address, rentPayer: order.sender })
  }
  for (const key of ledger.nullifiers.keys()) {
    const account = ledger.nullifiers.read(key, position)
    if (account === undefined || account === null) continue
    if (unixSeconds < account.settledAt + NULLIFIER_SECONDS) continue
    const { rentPayer } = account
    closable.push({ kind: 'nullifier', account: key as Address, rentPayer })
  }
  return closable
}
