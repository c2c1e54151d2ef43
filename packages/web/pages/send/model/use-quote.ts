import type { QuoteRequest, QuoteResponse } from '@sotto/sdk/server'
import { useEffect, useState } from 'preact/hooks'
import { explain, type Problem } from './problems.ts'
import { askQuote, ServiceRefusal } from './service.ts'

/**
 * The pause after a change before the price is asked for: longer than a person's pause between two
 * keystrokes.
 */
const TYPING_MS = 350
/** A quote is replaced this long before it expires, so that the one shown can be accepted. */
const AHEAD_MS = 5_000
const LEAST_MS = 2_000
/**
 * The pause before the price is asked for again while the balance's last deposit or payment isn't
 * final.
 */
const NOT_FINAL_MS = 3_000

export type LiveQuote =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking'; readonly last: QuoteResponse | undefined }
  | { readonly kind: 'quoted'; readonly quoted: QuoteResponse }
  | { readonly kind: 'refused'; readonly problem: Problem }

/**
 * The price for the form's request, requested again whenever the form changes and before the quote expires.
 */
export function useQuote(request: QuoteRequest | undefined, isPaused: boolean): LiveQuote {
  const [live, setLive] = useState<LiveQuote>({ kind: 'none' })
  const key = request === undefined ? '' : JSON.stringify(request)
  useEffect(() => {
    if (request === undefined || isPaused) {
      if (request === undefined) setLive({ kind: 'none' })
      return undefined
    }
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      try {
        const quoted = await askQuote(request, stop.signal)
        setLive({ kind: 'quoted', quoted })
        const { expiresAt, issuedAt } = quoted.quote
        // Uses the service's own clock, because this browser's may be wrong.
        const lifeMs = Date.parse(expiresAt) - Date.parse(issuedAt)
        timer = setTimeout(() => void ask(), Math.max(LEAST_MS, lifeMs - AHEAD_MS))
      } catch (error) {
        if (stop.signal.aborted) return
        setLive({ kind: 'refused', problem: explain(error) })
        const isNotFinal = error instanceof ServiceRefusal && error.code === 'BALANCE_NOT_FOUND'
        if (isNotFinal) timer = setTimeout(() => void ask(), NOT_FINAL_MS)
      }
    }
    setLive((before) => ({
      kind: 'asking',
      last: before.kind === 'quoted' ? before.quoted : undefined,
    }))
    timer = setTimeout(() => void ask(), TYPING_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key, isPaused])
  return live
}
