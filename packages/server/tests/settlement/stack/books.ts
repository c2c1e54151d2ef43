import { waitUntil, type Stack } from './stack.ts'

/** The reason why the service accepts no new orders. Null if the service accepts orders. */
export async function halted(stack: Stack): Promise<string | null> {
  return (await stack.operate<{ halted: string | null }>('pool', 'show')).halted
}

/**
 * Waits until two more comparisons of the books have ended. The first may have begun before this call, but the second
 * began after it. Returns true if the books agree.
 */
export async function compared(stack: Stack): Promise<boolean | null | undefined> {
  for (let count = 0; count < 2; count += 1) {
    const { ms } = await booksAt(stack)
    await waitUntil(async () => (await booksAt(stack)).ms > ms)
  }
  return (await booksAt(stack)).agree
}

async function booksAt({ database }: Stack) {
  const [row] = await database.query<{ books_agree: boolean | null; books_at: Date | null }>(
    'SELECT books_agree, books_at FROM health',
    [],
  )
  return { agree: row?.books_agree, ms: row?.books_at?.getTime() ?? 0 }
}
