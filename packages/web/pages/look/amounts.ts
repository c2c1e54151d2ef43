/** Why a text is no amount of an asset, or its base units. */
export type ParsedAmount =
  | { readonly kind: 'amount'; readonly base: bigint }
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong'; readonly why: string }

/** Base units of an amount as a person writes it, with a point or a comma; never through a float. */
export function parseAmount(text: string, decimals: number): ParsedAmount {
  const given = text.trim().replace(',', '.')
  if (given === '') return { kind: 'empty' }
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d*))?$/.exec(given) ?? []
  if (whole === undefined) return { kind: 'wrong', why: 'Write the amount as a number, like 1.25.' }
  if (fraction.length > decimals) {
    return { kind: 'wrong', why: `This asset has at most ${decimals} digits after the point.` }
  }
  const base = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (base === 0n) return { kind: 'wrong', why: 'The amount must be more than zero.' }
  return { kind: 'amount', base }
}

/** An amount for a person: no zeros at the end, thousands apart. */
export function showAmount(base: bigint | string, decimals: number): string {
  const [whole, fraction] = split(BigInt(base), decimals)
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')
  return fraction === '' ? grouped : `${grouped}.${fraction}`
}

/** The same as it would be typed into a field. */
export function typedAmount(base: bigint | string, decimals: number): string {
  const [whole, fraction] = split(BigInt(base), decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function split(base: bigint, decimals: number): [whole: string, fraction: string] {
  const digits = base.toString().padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return [digits.slice(0, at), digits.slice(at).replace(/0+$/, '')]
}

/** What of an address is enough to recognise it. */
export const shortAddress = (address: string): string =>
  `${address.slice(0, 4)}…${address.slice(-4)}`
