import type { Chain } from './chain/chain.ts'

/** Advances the chain by a slot every `slotMs` milliseconds. The returned function stops the timer. */
export function startTicking(chain: Chain, slotMs: number): () => void {
  const timer = setInterval(() => chain.tick(), slotMs)
  return () => clearInterval(timer)
}
