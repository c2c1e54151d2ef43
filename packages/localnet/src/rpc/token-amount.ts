export interface ShownTokenAmount {
  readonly amount: string
  readonly decimals: number
  readonly uiAmount: number
  readonly uiAmountString: string
}

/**
 * A token amount as Solana's RPC shows it. `uiAmount` is the inexact floating-point number that
 * clients expect.
 */
export function renderTokenAmount(amount: bigint, decimals: number): ShownTokenAmount {
  const uiAmountString = toDecimal(amount, decimals)
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: JSON.parse(uiAmountString) as number,
    uiAmountString,
  }
}

/** Base units as a decimal number without trailing zeros, exact for any u64. */
function toDecimal(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString()
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
