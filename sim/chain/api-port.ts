import { wholeNumber } from '../../packages/server/src/domain/whole-number.ts'
import { type Address, type DepositTerms, amount, unixSeconds } from '@sotto/protocol'
import { MAX_DEPOSIT_SECONDS, NATIVE_MINT, U64_MAX } from '@sotto/protocol'
import type { Chain, PoolFacts } from '../../packages/server/src/ports/chain.ts'
import type { FakeSignatures } from './fake-signatures.ts'
import type { Node } from './node.ts'
import { payeeState } from './pay-port.ts'
import { walletMinimum } from '@sotto/protocol'
import { BLOCKHASH_BLOCKS } from './fake-chain.ts'
import { LAMPORTS_PER_BYTE } from './rent.ts'

interface ApiChainSetting {
  readonly node: () => Node
  readonly signatures: FakeSignatures
  readonly pool: { readonly program: Address; readonly domain: Uint8Array; readonly tree: Address }
  readonly authoriser: Address
  readonly mints: readonly Address[]
}

/** The chain port for quotes and orders. */
export function apiPort({ node, signatures, pool, authoriser, mints }: ApiChainSetting): Chain {
  const facts: PoolFacts = {
    ...pool,
    authorisers: [authoriser],
    depositsPaused: false,
    maxDepositSeconds: wholeNumber(MAX_DEPOSIT_SECONDS),
    lamportsPerByte: LAMPORTS_PER_BYTE,
  }
  return {
    readPool: async () => facts,
    readAssets: async (asked) => {
      const at = node()
      const { position } = at.at('confirmed')
      return asked.map((mint) => {
        if (!mints.includes(mint)) return undefined
        const swapAvailable = amount(at.chain.ledger.assetOf(mint, position).inventory)
        const payoutMin = mint === NATIVE_MINT ? walletMinimum(LAMPORTS_PER_BYTE) : amount(1n)
        return { mint, depositsPaused: false, depositMax: U64_MAX, payoutMin, swapAvailable }
      })
    },
    readClock: async () => unixSeconds(node().at('finalized').unixSeconds),
    readRecipient: async (mint, wallet) => payeeState(node(), mint, wallet),
    readPartner: async (mint, wallet) => payeeState(node(), mint, wallet),
    readHead: async () => {
      const { slot, height, unixSeconds } = node().at('confirmed')
      return {
        slot: BigInt(slot),
        blockHeight: BigInt(height),
        unixSeconds,
        blockhash: `blockhash-${height}`,
        lastValidBlockHeight: BigInt(height + BLOCKHASH_BLOCKS),
      }
    },
    partnerAccount: async (_mint, wallet) => wallet,
    buildDeposit: async (_tree, { terms }, head) => {
      const base = { ...node().at('confirmed'), height: wholeNumber(head.blockHeight) }
      return signatures.sign(terms.sender, messageOf(terms), base).signature
    },
  }
}

const messageOf = (terms: DepositTerms) => ({ kind: 'deposit', terms }) as const
