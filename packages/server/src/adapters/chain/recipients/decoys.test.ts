import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { beforeEach, expect, it } from 'vitest'
import { systemRandom } from '../../random/system-random.ts'
import { Decoys, DECOYS_OF_KIND } from './decoys.ts'

const MINT = 'mint' as Address
const names = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${kind} ${index}` as Address)
const anyone = () => false

let nowMs: number
let made: number
let decoys: Decoys
beforeEach(() => {
  nowMs = 1_000_000
  made = 0
  const makeWallet = async () => `new ${(made += 1)}` as Address
  decoys = new Decoys({ clock: { nowMs: () => nowMs }, random: systemRandom, makeWallet })
})
const hiddenOf = (wallet: string, mint = MINT) => decoys.of(mint, wallet as Address, anyone)

it('hides a recipient among holders, active wallets and new wallets, at a random place', async () => {
  const places = Array<number>(3 * DECOYS_OF_KIND + 1).fill(0)
  for (let round = 0; round < 1_000; round += 1) {
    const seen = { holders: names(`holder ${round}`, 8), active: names(`active ${round}`, 8) }
    decoys.learn(MINT, seen)
    const { wallets, place } = await hiddenOf(`recipient ${round}`)
    expect(wallets[place]).toBe(`recipient ${round}`)
    expect(new Set(wallets).size).toBe(places.length)
    const of = (kind: string) => wallets.filter((one) => one.startsWith(kind)).length
    expect([of('holder'), of('active')]).toEqual([DECOYS_OF_KIND, DECOYS_OF_KIND])
    places[place] = (places[place] ?? 0) + 1
  }
  // There are 25 places, so the statistic has 24 degrees of freedom. If all places are equally likely, the statistic
  // exceeds 59 once in 10,000 runs.
  const mean = 1_000 / places.length
  const square = places.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
  expect(square).toBeLessThan(59)
})

it('names the same decoys for a recipient all day and for every asset', async () => {
  decoys.learn(MINT, { holders: names('holder', 50), active: names('active', 50) })
  const first = await hiddenOf('recipient')
  decoys.learn(MINT, { holders: names('later', 500), active: names('also later', 500) })
  nowMs += 86_399_999
  expect(await hiddenOf('recipient')).toEqual(first)
  expect(await hiddenOf('recipient', NATIVE_MINT)).toEqual(first)
  nowMs += 1
  expect(await hiddenOf('recipient')).not.toEqual(first)
})

it('names holders of several tokens in the first request already', async () => {
  const tokens = names('token', 6)
  for (const token of tokens) {
    decoys.learn(token, { holders: names(`holder of ${token}`, 50), active: names('active', 50) })
  }
  const { wallets } = await hiddenOf('recipient', NATIVE_MINT)
  const holding = (token: string) =>
    wallets.filter((one) => one.startsWith(`holder of ${token} `)).length
  expect(tokens.map(holding)).toEqual([8, 8, 8, 8, 0, 0])
  // A request for a token names two accounts of each wallet, and a node answers for at most a hundred.
  expect(wallets.length * 2).toBeLessThanOrEqual(100)
  const ofLast = (await hiddenOf('recipient of the last token', tokens[5])).wallets
  expect(ofLast.filter((one) => one.startsWith('holder of token 5 '))).toHaveLength(DECOYS_OF_KIND)
})

it('gives each stranger to only one recipient until all strangers are used', async () => {
  decoys.learn(MINT, { holders: names('holder', 160), active: names('active', 160) })
  const all: Address[] = []
  for (const one of names('recipient', 20)) all.push(...(await hiddenOf(one)).wallets)
  expect(new Set(all).size).toBe(all.length)
  // All strangers are used now. The pool gives out the first strangers again, so the last recipient has as many decoys
  // as every other recipient.
  expect((await hiddenOf('last')).wallets).toHaveLength(3 * DECOYS_OF_KIND + 1)
})

it('gives a wallet of several kinds to only one recipient', async () => {
  const tokens = names('token', 3)
  const learn = (wallets: Address[]) => {
    for (const token of tokens) decoys.learn(token, { holders: wallets, active: wallets })
  }
  const drawn: Address[] = []
  const hidden = async (recipient: string) => {
    const { wallets } = await hiddenOf(recipient, tokens[0])
    drawn.push(...wallets)
    return wallets
  }
  learn(names('trader', 5 * 4 * DECOYS_OF_KIND))
  for (const one of names('recipient', 5)) expect(await hidden(one)).toHaveLength(41)
  expect(new Set(drawn).size).toBe(drawn.length)
  // The chain shows the used wallets again, now as holders of another token.
  const holders = [...names('trader', 160), ...names('holder', DECOYS_OF_KIND)]
  decoys.learn('another token' as Address, { holders, active: [] })
  learn(names('later', 4 * DECOYS_OF_KIND))
  const used = new Set(drawn)
  const again = (await hidden('recipient after that')).filter((one) => used.has(one))
  expect(again).toEqual([])
})

it('keeps strangers and decoys for other askers if one asker requests many quotes', async () => {
  decoys.learn(MINT, { holders: names('holder', 1_000), active: names('active', 1_000) })
  const quote = (wallet: string, asker: string) => decoys.of(MINT, wallet as Address, anyone, asker)
  const kept = await quote('kept', 'victim')
  const seen = new Set<Address>(kept.wallets)
  for (const one of names('attacked', 5_000)) {
    for (const wallet of (await quote(one, 'attacker')).wallets) seen.add(wallet)
  }
  expect(await quote('kept', 'victim')).toEqual(kept)
  const { wallets } = await quote('later', 'victim')
  expect(wallets).toHaveLength(3 * DECOYS_OF_KIND + 1)
  expect(wallets.filter((one) => seen.has(one))).toEqual([])
  // The attacker has used up its share, but its own recipients still get decoys of each kind.
  const own = await quote('attacked again', 'attacker')
  expect(own.wallets).toHaveLength(3 * DECOYS_OF_KIND + 1)
})

it('keeps unused strangers for other askers if one asker requests quotes at a slow pace for hours', async () => {
  const tokens = names('token', 4)
  // With SOL and four tokens, the service reads five transactions a minute for each asset. Each transaction shows two
  // holders.
  const learn = (minute: number) => {
    for (const token of tokens) {
      const holders = names(`holder of ${token} at ${minute}`, 10)
      decoys.learn(token, { holders, active: names(`active with ${token} at ${minute}`, 5) })
    }
  }
  for (let minute = -100; minute < 0; minute += 1) learn(minute)
  const seen = new Set<Address>()
  for (let minute = 0; minute < 360; minute += 1) {
    learn(minute)
    nowMs += 60_000
    for (const one of names(`attacked at ${minute}`, 2)) {
      const { wallets } = await decoys.of(tokens[0]!, one, anyone, 'attacker')
      for (const wallet of wallets) seen.add(wallet)
    }
  }
  const { wallets } = await decoys.of(tokens[0]!, 'later' as Address, anyone, 'victim')
  expect(wallets).toHaveLength(6 * DECOYS_OF_KIND + 1)
  expect(wallets.filter((one) => seen.has(one))).toEqual([])
})

it('makes no more new wallets than simultaneous recipients need', async () => {
  const all = await Promise.all(names('recipient', 1_000).map((one) => hiddenOf(one)))
  expect(all.every(({ wallets }) => wallets.length === DECOYS_OF_KIND + 1)).toBe(true)
  expect(made).toBeLessThanOrEqual(1_000 * DECOYS_OF_KIND + 256)
})

it('hides a recipient only among new wallets if the chain shows no other wallet that may be used', async () => {
  expect((await hiddenOf('recipient')).wallets).toHaveLength(DECOYS_OF_KIND + 1)
  decoys.learn(MINT, { holders: ['paid', 'recipient 2'] as Address[], active: [] })
  const { wallets } = await decoys.of(MINT, 'recipient 2' as Address, (one) => one === 'paid')
  expect(wallets).not.toContain('paid')
  expect(wallets.filter((one) => one === 'recipient 2')).toHaveLength(1)
})
