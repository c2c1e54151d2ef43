import {
  amount,
  ORDER_BYTES,
  rentMinimum,
  sumOf,
  walletMinimum,
  type Amount,
} from '@sotto/protocol'
import { readRent } from '@sotto/recovery'
import { existsSync } from 'node:fs'
import { toDecimal } from '../amounts/decimal.ts'
import type { CliRpc } from '../amounts/mint-decimals.ts'
import type { CliContext } from '../context.ts'
import { proverFile } from '../recover/prove.ts'
import { isPrivate } from '../settings/owned-file.ts'
import { fail, ok, reasonOf, warn, type Finding } from './check.ts'

/** Lamports for a deposit's two signatures and its maximum priority fee, rounded up. */
const FEES_MAX = 140_000n
const LAMPORT_DECIMALS = 9

/**
 * Checks that there is a keypair, that only its owner can read its file, and that the wallet can pay the costs of a
 * deposit.
 */
export async function checkWallet(context: CliContext): Promise<Finding[]> {
  const file = await context.keypairFile()
  let address
  try {
    ;({ address } = await context.signer())
  } catch (error) {
    const { next } = error as { next?: string }
    return [fail('keypair', reasonOf(error), next ?? 'give another file with --keypair')]
  }
  const keypair = (await isPrivate(file))
    ? ok('keypair', `${address} in ${file}`)
    : warn('keypair', `others may read ${file}`, `run: chmod 600 ${file}`)
  try {
    const rpc = await context.rpc()
    const { value } = await rpc.getBalance(address, { commitment: 'confirmed' }).send()
    const text = `${toDecimal(value, LAMPORT_DECIMALS)} SOL`
    const least = await depositNeeds(rpc)
    const fix = `send SOL to this wallet: a deposit needs about ${toDecimal(least, LAMPORT_DECIMALS)} on top of its amount; most of this is returned later`
    return [keypair, value < least ? warn('balance', text, fix) : ok('balance', text)]
  } catch (error) {
    return [keypair, fail('balance', reasonOf(error), 'check that the RPC endpoint works')]
  }
}

/**
 * Lamports that a deposit needs: its fees, the rent of the Order account, and the wallet's own minimum balance, at the
 * rent that the chain states.
 */
async function depositNeeds(rpc: CliRpc): Promise<Amount> {
  const lamportsPerByte = await readRent(rpc)
  const orderRent = rentMinimum(lamportsPerByte, BigInt(ORDER_BYTES))
  return sumOf([amount(FEES_MAX), orderRent, walletMinimum(lamportsPerByte)])
}

/** Checks whether the prover that `recover` needs is installed on this machine. */
export function checkProver(): Finding {
  try {
    const file = proverFile()
    if (existsSync(file))
      return ok('prover', 'installed: "sotto recover" works without the service')
  } catch {
    // If the prover's path can't be resolved, the code below reports this like a missing file.
  }
  return warn('prover', 'not installed', 'reinstall the command together with @sotto/prover')
}
