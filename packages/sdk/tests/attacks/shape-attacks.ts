import {
  getAdvanceNonceAccountInstruction,
  getTransferSolInstruction,
} from '@solana-program/system'
import {
  AuthorityType,
  getApproveInstruction,
  getSetAuthorityInstruction,
} from '@solana-program/token'
import {
  AccountRole,
  compressTransactionMessageUsingAddressLookupTables,
  createNoopSigner,
  type AccountMeta,
  type Address,
  type Instruction,
} from '@solana/kit'
import { byTransaction, withInstruction, type Attack } from './attack.ts'
import type { Forgery } from './forge.ts'
import { getAddMemoInstruction } from './memo.ts'
import { THIEF, THIEF_ACCOUNT } from './thief.ts'

const withAccounts = (change: (accounts: AccountMeta[]) => AccountMeta[]) => ({
  deposit: (deposit: Instruction): Instruction => ({
    ...deposit,
    accounts: change([...deposit.accounts!] as AccountMeta[]),
  }),
})
const replacing = (at: number, address: Address): Forgery =>
  withAccounts((accounts) => accounts.with(at, { ...accounts[at]!, address }))

const [TREE, ORDER, VAULT, SENDER_TOKEN] = [2, 3, 5, 8]

/** Attacks on the transaction's accounts, instructions and format. */
export const shapeAttacks: readonly Attack[] = [
  byTransaction('the vault is the thief’s account', 'accounts', replacing(VAULT, THIEF_ACCOUNT)),
  byTransaction('the tree is another tree', 'accounts', replacing(TREE, THIEF_ACCOUNT)),
  byTransaction(
    'another token account is debited',
    'accounts',
    replacing(SENDER_TOKEN, THIEF_ACCOUNT),
    undefined,
    'token',
  ),
  byTransaction(
    'two accounts of the deposit are exchanged',
    'accounts',
    withAccounts((all) => all.with(TREE, all[ORDER]!).with(ORDER, all[TREE]!)),
  ),
  byTransaction(
    'the deposit names an account twice',
    'accounts',
    withAccounts((all) => [...all, all[0]!]),
  ),
  byTransaction(
    'the deposit names one account too many',
    'accounts',
    withAccounts((all) => [...all, { address: THIEF_ACCOUNT, role: AccountRole.READONLY }]),
  ),
  byTransaction(
    'the pool is writable',
    'accounts',
    withAccounts((all) => all.with(1, { ...all[1]!, role: AccountRole.WRITABLE })),
  ),
  byTransaction(
    'a second signature is asked for',
    'signers',
    withAccounts((all) => [...all, { address: THIEF, role: AccountRole.READONLY_SIGNER }]),
  ),
  withInstruction('a transfer of SOL follows', ({ terms }) =>
    getTransferSolInstruction({
      source: createNoopSigner(terms.sender),
      destination: THIEF,
      amount: 1n,
    }),
  ),
  withInstruction(
    'a transfer of SOL comes first',
    ({ terms }) =>
      getTransferSolInstruction({
        source: createNoopSigner(terms.sender),
        destination: THIEF,
        amount: 1n,
      }),
    0,
  ),
  withInstruction('the thief is approved to spend tokens', ({ terms }) =>
    getApproveInstruction({
      source: THIEF_ACCOUNT,
      delegate: THIEF,
      owner: createNoopSigner(terms.sender),
      amount: 1n,
    }),
  ),
  withInstruction('the thief becomes the owner of a token account', ({ terms }) =>
    getSetAuthorityInstruction({
      owned: THIEF_ACCOUNT,
      owner: createNoopSigner(terms.sender),
      authorityType: AuthorityType.AccountOwner,
      newAuthority: THIEF,
    }),
  ),
  withInstruction('a memo names the recipient', ({ expected }) =>
    getAddMemoInstruction(expected.recipient),
  ),
  withInstruction(
    'a durable nonce keeps the transaction alive',
    ({ terms }) =>
      getAdvanceNonceAccountInstruction({
        nonceAccount: THIEF_ACCOUNT,
        nonceAuthority: createNoopSigner(terms.sender),
      }),
    0,
  ),
  byTransaction('the transaction contains the deposit twice', 'instructions', {
    instructions: (all) => [...all, ...all.slice(-2)],
  }),
  byTransaction('the authorisation is missing', 'instructions', {
    instructions: (all) => all.toSpliced(-2, 1),
  }),
  byTransaction('the deposit is missing', 'instructions', {
    instructions: (all) => all.slice(0, -1),
  }),
  byTransaction('the compute limit is missing', 'instructions', {
    instructions: (all) => all.slice(1),
  }),
  byTransaction('the deposit comes before its authorisation', 'instructions', {
    instructions: ([budget, authorisation, deposit]) => [budget!, deposit!, authorisation!],
  }),
  byTransaction('the compute limit comes last', 'instructions', {
    instructions: ([budget, ...others]) => [...others, budget!],
  }),
  byTransaction('the call of the program is no deposit', 'instructions', {
    deposit: (deposit) => ({ ...deposit, data: new Uint8Array(deposit.data!).with(0, 9) }),
  }),
  byTransaction('the deposit has an undefined flag', 'instructions', {
    deposit: (deposit) => {
      const data = new Uint8Array(deposit.data!)
      return { ...deposit, data: data.with(1, data[1]! | 2) }
    },
  }),
  byTransaction('another program is called', 'program', { program: THIEF_ACCOUNT }),
  byTransaction('accounts hide in a lookup table', 'lookup_table', ({ facts }) => ({
    message: (message) => {
      const tables = { [THIEF_ACCOUNT]: [facts.pool.tree] }
      const hidden: object = compressTransactionMessageUsingAddressLookupTables(message, tables)
      return hidden as typeof message
    },
  })),
]
