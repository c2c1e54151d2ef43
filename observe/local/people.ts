import type { Address, KeyPairSigner } from '@solana/kit'
import { generateKeyPairSigner } from '@solana/kit'
import type { Treasury } from '../../demo/src/stack/treasury.ts'

/** The lamports that each sender of a load starts with. They are enough for all of the sender's steps. */
const LAMPORTS = 400_000_000_000n
const TOKENS = 200_000_000_000n

/** The wallets and payees of a load. Each is created when it is first needed. */
export class People {
  readonly #treasury: Treasury
  readonly #usdc: Address
  readonly #wallets = new Map<number, Promise<KeyPairSigner>>()
  readonly #payees = new Map<number, Promise<Address>>()

  constructor(treasury: Treasury, usdc: Address) {
    this.#treasury = treasury
    this.#usdc = usdc
  }

  /** A sender's wallet, with SOL and USDC. */
  wallet(number: number): Promise<KeyPairSigner> {
    const known = this.#wallets.get(number)
    if (known !== undefined) return known
    const made = this.#makeWallet()
    this.#wallets.set(number, made)
    return made
  }

  /** An address without money. */
  payee(number: number): Promise<Address> {
    const known = this.#payees.get(number)
    if (known !== undefined) return known
    const made = generateKeyPairSigner().then(({ address }) => address)
    this.#payees.set(number, made)
    return made
  }

  async #makeWallet(): Promise<KeyPairSigner> {
    const signer = await generateKeyPairSigner()
    await this.#treasury.fund(signer.address, LAMPORTS)
    await this.#treasury.mint(signer.address, this.#usdc, TOKENS)
    return signer
  }
}
