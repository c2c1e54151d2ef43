let end: Promise<void> | undefined

/**
 * Resolves once the event loop has gone through everything that had arrived when it last looked. Answers
 * that wait for it leave one behind the other: each write wakes whoever reads it, and doing that in the
 * middle of every request was a third of a busy service's time. An idle one waits for nothing.
 */
export function endOfTurn(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined
      resolve()
    })
  })
  return end
}
