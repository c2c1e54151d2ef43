import { readRecentPrice, settlementLayout, type Address } from '@sotto/protocol'
import type { SettleIntent, SettlementChain } from '../../../ports/settlement-chain.ts'
import { assetMints } from './asset-mints.ts'
import { closeAccounts } from './close-accounts.ts'
import { findSettlement } from './find-settlement.ts'
import { isInBlock } from './is-in-block.ts'
import { depositReads } from './deposit-reads.ts'
import { closableLister } from './list-closable.ts'
import { readBalances } from './read-balances.ts'
import { booksReader } from './read-books.ts'
import { readConfirmedLeaves, readEntries, readTree } from './read-entries.ts'
import { readClock, readHead, readRootedHead } from './read-head.ts'
import { HistoryReader } from './read-history.ts'
import { readNullifiers } from './read-nullifiers.ts'
import { fromEach, witnessed } from './witnesses.ts'
import { readRecipient, readSender } from './read-payee.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import type { ReadPoolMints } from './pool-mints.ts'
import type { RecipientReads } from '../recipients/recipients.ts'
import { sendTransaction, simulateSettlement } from './send-transaction.ts'
import { signTransaction } from './sign-transaction.ts'
import { tokenPrograms } from './token-programs.ts'

export interface SettlementChainOptions {
  readonly rpc: ChainRpc
  /** One client for each node; empty if only one node is configured. */
  readonly witnesses?: readonly ChainRpc[]
  readonly program: Address
  readonly tree: Address
  readonly recipients: RecipientReads
  /**
   * The mints whose books are read. By default, they come from the chain's list of assets. Many public nodes refuse to
   * return that list.
   */
  readonly mints?: ReadPoolMints
  /** Maximum number of pages of the tree's history that one call lists. */
  readonly historyPagesMax?: number
}

/** Creates the chain that settlement uses, through a Solana cluster's RPC. */
export function createSettlementChain(options: SettlementChainOptions): SettlementChain {
  const { rpc, program, tree, historyPagesMax: pagesMax } = options
  const { recipients, witnesses = [] } = options
  const at = { program, tree }
  const mintOf = assetMints(rpc, program)
  const reading = { rpc, ...at, mintOf, ...(pagesMax === undefined ? {} : { pagesMax }) }
  const history = new HistoryReader(reading)
  // Upkeep has a separate reader. When upkeep starts at a new slot, its reader drops all transactions. The reader of
  // settlement must keep its transactions.
  const settled = new HistoryReader({ ...reading, withSettlements: true })
  let settledFrom: bigint | undefined
  const tokenProgramOf = tokenPrograms(rpc, witnesses)
  const paying = { rpc, witnesses, program, tokenProgramOf, recipients }
  const sign = async ({ relayer, mint, settlement, opensAccount, unitPrice }: SettleIntent) => {
    const tokenProgram = await tokenProgramOf(mint)
    const where = { program, tree, payer: relayer.address, tokenProgram }
    const layout = await settlementLayout(where, mint, settlement, unitPrice, opensAccount)
    return signTransaction(rpc, [relayer], layout)
  }
  const listClosable = closableLister(rpc, program)
  const hasWitnesses = witnesses.length > 1
  const readHeads = () => fromEach(witnesses, (one) => readRootedHead(one, at))
  return {
    readHead: () => readHead(rpc, at),
    readHeads: hasWitnesses ? readHeads : undefined,
    readEntries: (head, from) => readEntries(rpc, at, head, from),
    readTree: (slotMin) => readTree(rpc, at, slotMin),
    readConfirmedLeaves: (from) => readConfirmedLeaves(rpc, at, from),
    readHistory: (slotFrom, head) => history.read(slotFrom, head),
    forgetHistory: () => {
      history.forget()
      settled.forget()
    },
    ...depositReads(rpc, witnesses, program),
    readClock: () => readClock(rpc),
    readPayee: (mint, wallet, role) =>
      (role === 'sender' ? readSender : readRecipient)(paying, mint, wallet),
    readBalances: (wallets) => readBalances(rpc, wallets),
    readNullifiers: async (nullifiers, slotMin, inTree) => {
      const facts = await readNullifiers(rpc, program, nullifiers, slotMin)
      const ask = (one: ChainRpc, some: readonly bigint[]) => readNullifiers(one, program, some)
      return hasWitnesses ? witnessed(witnesses, nullifiers, facts, ask, inTree) : facts
    },
    sign,
    simulate: ({ wire }) => simulateSettlement(rpc, witnesses, wire),
    hasWitnesses,
    broadcast: (wire) => sendTransaction(rpc, wire),
    isInBlock: (signature) => isInBlock(rpc, signature),
    findSettlement: (...asked) => findSettlement(rpc, program, mintOf, ...asked),
    findSettlements: hasWitnesses
      ? async (...asked) => {
          const found = await fromEach(witnesses, (one) =>
            findSettlement(one, program, mintOf, ...asked),
          )
          return found.flatMap((one) => one ?? [])
        }
      : undefined,
    readSettled: (slotFrom, head) => {
      if (slotFrom !== settledFrom) settled.forget()
      settledFrom = slotFrom
      return settled.read(slotFrom, head)
    },
    readBooks: booksReader(rpc, at, options.mints),
    readRecentPrice: (percentile) => readRecentPrice(rpc, [tree], percentile),
    listClosable: async () => listClosable(await readHead(rpc, at)),
    close: (...of) => closeAccounts(rpc, program, ...of),
  }
}
