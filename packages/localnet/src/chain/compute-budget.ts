import type { DecodedMessage } from './decoded-transaction.ts'

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3

/** Number of compute units that the runtime grants for each instruction if the transaction sets no limit. */
const DEFAULT_UNITS_PER_INSTRUCTION = 200_000n
const DEFAULT_UNITS_PER_BUILTIN = 3_000n
const MAX_UNITS = 1_400_000n
const MICRO_LAMPORTS = 1_000_000n
const LAMPORTS_PER_SIGNATURE = 5_000n

/**
 * Programs that are built into the runtime. Their instructions get a smaller default limit (agave,
 * builtins-default-costs).
 */
const BUILTINS = new Set([
  '11111111111111111111111111111111',
  COMPUTE_BUDGET_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
])

const SIGNATURE_PRECOMPILES = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
])

/** The compute unit price in micro-lamports; 0 if the transaction sets none. */
export function readUnitPrice(decoded: DecodedMessage): bigint {
  const data = budgetInstruction(decoded, SET_UNIT_PRICE, 9)
  return data === undefined ? 0n : Buffer.from(data).readBigUInt64LE(1)
}

/**
 * The fee of a transaction in lamports. It is 5,000 for each signature, including signatures that a precompile
 * verifies, plus the priority fee. The priority fee is the compute unit price times the compute unit limit, rounded up
 * to whole lamports (agave, compute-budget).
 */
export function feeOf(decoded: DecodedMessage): bigint {
  const signatures = BigInt(decoded.header.signers + precompileSignatures(decoded))
  const bid = readUnitPrice(decoded) * unitLimit(decoded)
  return signatures * LAMPORTS_PER_SIGNATURE + (bid + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
}

function unitLimit(decoded: DecodedMessage): bigint {
  const data = budgetInstruction(decoded, SET_UNIT_LIMIT, 5)
  if (data !== undefined) return min(BigInt(Buffer.from(data).readUInt32LE(1)), MAX_UNITS)
  let units = 0n
  for (const { programIndex } of decoded.instructions) {
    const program = decoded.staticAccounts[programIndex] ?? ''
    if (SIGNATURE_PRECOMPILES.has(program)) continue
    units += BUILTINS.has(program) ? DEFAULT_UNITS_PER_BUILTIN : DEFAULT_UNITS_PER_INSTRUCTION
  }
  return min(units, MAX_UNITS)
}

function precompileSignatures(decoded: DecodedMessage): number {
  return decoded.instructions.reduce((sum, { programIndex, data }) => {
    const program = decoded.staticAccounts[programIndex] ?? ''
    return SIGNATURE_PRECOMPILES.has(program) ? sum + (data[0] ?? 0) : sum
  }, 0)
}

function budgetInstruction(
  decoded: DecodedMessage,
  kind: number,
  bytes: number,
): Uint8Array | undefined {
  return decoded.instructions.find(
    ({ programIndex, data }) =>
      decoded.staticAccounts[programIndex] === COMPUTE_BUDGET_PROGRAM &&
      data[0] === kind &&
      data.length >= bytes,
  )?.data
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}
