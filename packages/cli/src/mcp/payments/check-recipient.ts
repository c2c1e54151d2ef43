import { address, isOffCurveAddress, type Address } from '@solana/kit'
import { isAddress } from '@sotto/protocol'
import type { CliRpc } from '../../amounts/mint-decimals.ts'
import { ToolError } from '../tool-error.ts'

const SYSTEM_PROGRAM = address('11111111111111111111111111111111')

/** Reads a recipient. Refuses a text that isn't an address, and a recipient that isn't allowed. @throws ToolError. */
export function readRecipient(text: string, allowed: ReadonlySet<string> | undefined): Address {
  if (!isAddress(text)) {
    const next = "give the recipient's wallet as a base58 address of 32 bytes"
    throw new ToolError('RECIPIENT_INVALID', 'the recipient is not a Solana address', next)
  }
  if (allowed !== undefined && !allowed.has(text)) {
    const message = 'this recipient is not on the list of the person who runs this server'
    const next = 'choose a listed recipient, which the tool "balance" shows, or ask that person'
    throw new ToolError('RECIPIENT_NOT_ALLOWED', message, next)
  }
  return text
}

/**
 * Refuses accounts that aren't wallets: programs and their accounts, token accounts, mints, and the pool's own
 * accounts. Money that is sent to them is lost. @throws ToolError RECIPIENT_NOT_A_WALLET, and the node's errors.
 */
export async function assertWallet(rpc: CliRpc, recipient: Address): Promise<void> {
  if (isOffCurveAddress(recipient)) throw notWallet()
  const { value } = await rpc
    .getAccountInfo(recipient, { encoding: 'base64', commitment: 'confirmed' })
    .send()
  // A wallet that has never received anything has no account yet.
  if (value === null) return
  if (value.executable || value.owner !== SYSTEM_PROGRAM) throw notWallet()
}

const notWallet = () =>
  new ToolError(
    'RECIPIENT_NOT_A_WALLET',
    'the recipient is a program or an account of a program, so the money would be lost',
    "give the address of a person's or a company's wallet",
  )
