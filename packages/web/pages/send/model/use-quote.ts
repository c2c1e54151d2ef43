import type { QuoteRequest, QuoteResponse } from '@sotto/sdk/server'
import { useEffect, useState } from 'preact/hooks'
import { explain, type Problem } from './problems.ts'
import { askQuote, ServiceRefusal, UnreachableError } from './service.ts'

/**
 * Pause in milliseconds between a change of the form and the request for a price. It is longer than a person's pause
 * between two keystrokes.
 */
const TYPING_MS = 350
/**
 * A quote is replaced this many milliseconds before it expires, so that the person can always accept the quote on the
 * page.
 */
const AHEAD_MS = 5_000
const LEAST_MS = 2_000
/**
 * Pause in milliseconds before the page requests a price again, if the balance's last deposit or payment isn't final
 * yet.
 */
const NOT_FINAL_MS = 3_000
/**
 * Pause in milliseconds before the page requests a price again after a temporary failure, such as a rate limit or a
 * service that can't reach the chain now. The page makes this new request without any action of the person.
 */
const FAILED_MS = 10_000

export type LiveQuote =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking'; readonly last: QuoteResponse | undefined }
  | { readonly kind: 'quoted'; readonly quoted: QuoteResponse }
  | { readonly kind: 'refused'; readonly problem: Problem }

/** The price for the form's request. It is requested whenever the form changes, and again before the quote expires. */
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
        // Compute the quote's lifetime from the service's own times, because this browser's clock may be wrong.
        const lifeMs = Date.parse(expiresAt) - Date.parse(issuedAt)
        timer = setTimeout(() => void ask(), Math.max(LEAST_MS, lifeMs - AHEAD_MS))
      } catch (error) {
        if (stop.signal.aborted) return
        setLive({ kind: 'refused', problem: explain(error) })
        const pauseMs = pauseAfter(error)
        if (pauseMs !== undefined) timer = setTimeout(() => void ask(), pauseMs)
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

/** The time after which the same request may succeed, in milliseconds; undefined if it can't succeed. */
function pauseAfter(error: unknown): number | undefined {
  if (error instanceof UnreachableError) return FAILED_MS
  if (!(error instanceof ServiceRefusal)) return undefined
  if (error.code === 'BALANCE_NOT_FOUND') return NOT_FINAL_MS
  return error.retry === 'unchanged' ? FAILED_MS : undefined
}
