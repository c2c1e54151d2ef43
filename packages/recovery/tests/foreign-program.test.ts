import { generateKeyPairSigner, type TransactionSigner } from '@solana/kit'
import { addressBytes, amount, poolAddress, PROGRAM_SHA256, type Ticket } from '@sotto/protocol'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { landNote, landPayment, payFromBalance, settleNote } from '../index.ts'
import { LandingStage, VALUE } from './landing-stage.ts'

const OTHER_PROGRAM = new Uint8Array(
  readFileSync(new URL('../../../program/tests/fixtures/caller/sotto-caller.so', import.meta.url)),
)

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
})

/** The ticket for a stranger's program with a copy of the pool and the tree. */
async function foreign(ticket: Ticket): Promise<Ticket> {
  const { chain, tree, pool } = stage.fixture
  const [program, ownTree] = [(await chain.key()).address, (await chain.key()).address]
  chain.svm.addProgram(program, OTHER_PROGRAM)
  for (const [from, to] of [
    [tree, ownTree],
    [pool, await poolAddress(program)],
  ] as const) {
    const account = chain.svm.getAccount(from)
    if (!account.exists) throw new Error('the pool has no such account')
    chain.svm.setAccount({ ...account, address: to, programAddress: program })
  }
  chain.tamper(await poolAddress(program), (data) => data.set(addressBytes(ownTree), 136))
  return { ...ticket, program }
}

const unused = () => expect.fail('unused')

/** A wallet that must not sign. */
const unwilling = ({ address }: TransactionSigner): TransactionSigner => ({
  address,
  signTransactions: unused,
})

it.each(['deliver', 'refund', 'pay'] as const)(
  'does not sign for a program that only the ticket knows: %s',
  async (kind) => {
    const ticket = await foreign(await stage.deposit(kind === 'pay' ? 'balance' : 'transfer'))
    const { use, landing, congested } = await stage.through(ticket)
    const asked = { ...use, payer: unwilling(use.payer), prove: unused }
    const payment = { ...asked, payee: use.payer.address, payout: amount(1n) }
    const calls =
      kind === 'pay'
        ? [landPayment(payment, landing), payFromBalance(payment)]
        : [landNote({ ...asked, kind }, landing), settleNote({ ...asked, kind })]
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({
        code: 'PROGRAM_UNKNOWN',
        message: expect.stringContaining('only if you know whose program it is') as string,
      })
    }
    expect(congested.arrivals.size).toBe(0)
  },
)

it('settles with this release’s program only if the caller accepts it', async () => {
  const ticket = await stage.deposit('transfer')
  const { use, landing } = await stage.through(ticket, 'land')
  const deliver = (acceptedPrograms: readonly string[]) =>
    landNote({ ...use, kind: 'deliver', acceptedPrograms }, landing)
  for (const others of [[], ['0'.repeat(64)]]) {
    await expect(deliver(others)).rejects.toMatchObject({ code: 'PROGRAM_UNKNOWN' })
  }
  const { claim } = ticket.note
  const held = () => (claim.kind === 'transfer' ? stage.fixture.chain.balance(claim.recipient) : 0n)
  const before = held()
  await deliver(['0'.repeat(64), PROGRAM_SHA256])
  expect(held() - before).toBe(VALUE)
})

it('does not sign for a program that was replaced while the proof was made', async () => {
  const own = await LandingStage.start()
  const ticket = await own.deposit('balance')
  const { use, landing, congested } = await own.through(ticket, 'land')
  const prove = async (inputs: Parameters<typeof use.prove>[0]) => {
    const proof = await use.prove(inputs)
    own.fixture.chain.svm.addProgram(ticket.program, OTHER_PROGRAM)
    return proof
  }
  const payee = (await generateKeyPairSigner()).address
  const asked = { ...use, prove, payer: unwilling(use.payer), payee, payout: amount(1n) }
  await expect(landPayment(asked, landing)).rejects.toMatchObject({ code: 'PROGRAM_UNKNOWN' })
  expect(congested.arrivals.size).toBe(0)
})

it('says that a cluster without the ticket’s program is the wrong cluster', async () => {
  const ticket = {
    ...(await stage.deposit('transfer')),
    program: (await stage.fixture.chain.key()).address,
  }
  const { use, landing } = await stage.through(ticket)
  const delivered = landNote({ ...use, payer: unwilling(use.payer), kind: 'deliver' }, landing)
  await expect(delivered).rejects.toMatchObject({ code: 'WRONG_CLUSTER' })
})
