import {
  AccountRole,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Address,
  type Instruction,
} from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { land } from './orders.ts'
import { waitUntil, type Stack } from './stack.ts'

const TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address

/** Creates a lookup table with these addresses, and waits until it can be used. */
export async function makeLookupTable(
  stack: Stack,
  addresses: readonly Address[],
): Promise<Address> {
  const { rpc, admin } = stack
  const slot = await rpc.getSlot({ commitment: 'finalized' }).send()
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: TABLE_PROGRAM,
    seeds: [getAddressEncoder().encode(admin.address), getU64Encoder().encode(slot)],
  })
  const accounts = [
    { address: table, role: AccountRole.WRITABLE },
    { address: admin.address, role: AccountRole.READONLY_SIGNER },
    { address: admin.address, role: AccountRole.WRITABLE_SIGNER },
    { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
  ]
  const create = Buffer.alloc(13)
  create.writeBigUInt64LE(slot, 4)
  create[12] = bump
  const extend = Buffer.alloc(12)
  extend[0] = 2
  extend.writeBigUInt64LE(BigInt(addresses.length), 4)
  const entries = addresses.map((one) => new Uint8Array(getAddressEncoder().encode(one)))
  const instruction = (data: Uint8Array): Instruction => ({
    ...{ programAddress: TABLE_PROGRAM, accounts, data },
  })
  await land(stack, admin, [instruction(create), instruction(Buffer.concat([extend, ...entries]))])
  await waitUntil(async () => (await rpc.getSlot({ commitment: 'finalized' }).send()) > slot + 8n)
  return table
}
