import { address, type Address } from '@solana/kit'
import { NATIVE_MINT } from '@sotto/protocol'
import { openBalance, storedBalance } from '@sotto/sdk/balance'
import { PROGRAM_SHA256 } from '@sotto/sdk/wallet'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { keypairFile } from '../../../../demo/src/stack/keypair-file.ts'
import { balanceFile, balanceStore } from '../../src/balances/balance-files.ts'
import { openLocalPartner, type LocalPartner } from '../local-partner.ts'
import { startMcp, type HostOptions, type McpHost } from './mcp-client.ts'

export const SOL = { asset: 'SOL' }
export const LIMITS = ['--max-payment', '0.1', '--max-day', '0.3', '--confirm-above', '0.05']

/** A machine whose agents may pay out of balances. */
export interface AgentPartner {
  readonly partner: LocalPartner
  /** Pays one SOL into a new balance of this machine. */
  readonly topUp: (name: string) => Promise<void>
  /** Starts an MCP server for a balance. */
  readonly startFor: (
    name: string,
    options?: HostOptions,
    limits?: readonly string[],
  ) => Promise<McpHost>
  /** Returns the lamports of a wallet. */
  readonly arrived: (wallet: Address) => Promise<bigint>
  /**
   * Ends the MCP server. Checks that the agent and the log got no secret, and that the log contains no address and no
   * digits.
   */
  readonly closeSilent: (name: string, host: McpHost | undefined) => Promise<void>
}

export async function openAgentPartner(): Promise<AgentPartner> {
  const partner = await openLocalPartner()
  const { home, wallet, client, chain, stack } = partner
  return {
    partner,
    topUp: async (name) => {
      const store = balanceStore(home, name)
      await openBalance({
        ...{ service: client, rpc: chain.rpc, programId: address(stack.program) },
        ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true, pollMs: 100, store },
        approve: () => true,
        signer: await keypairFile(join(home, 'wallet.json')),
        topUp: { senderAddress: wallet, assetId: NATIVE_MINT, amount: '1000000000' },
      })
      store.release()
    },
    startFor: (name, options, limits = LIMITS) => startMcp([name, ...limits], partner.env, options),
    arrived: (to) => chain.balance(to, NATIVE_MINT),
    closeSilent: async (name, host) => {
      if (host === undefined) return
      const logged = await host.close()
      const { secret } = JSON.parse(await readFile(balanceFile(home, name), 'utf8')) as {
        secret: string
      }
      const ticket = (await storedBalance(balanceStore(home, name)))?.ticket
      const text = [...host.seen, ...host.questions, logged].join('\n')
      for (const kept of [
        secret,
        ticket ?? 'none',
        'sotto2_',
        partner.env['SOTTO_API_KEY'] ?? '',
      ]) {
        expect(text).not.toContain(kept)
      }
      expect(logged).not.toMatch(/[1-9A-HJ-NP-Za-km-z]{32,}/)
      expect(logged).not.toMatch(/[0-9]/)
    },
  }
}
