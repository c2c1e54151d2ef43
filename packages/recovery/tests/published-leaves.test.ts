import { expect, it } from 'vitest'
import { publishedLeaves } from '../index.ts'

it('an endless page of leaves is read only up to the largest size of a page', async () => {
  let sent = 0
  const body = new ReadableStream({
    pull: (controller) => {
      sent += 1
      controller.enqueue(new Uint8Array(100_000))
    },
  })
  const source = publishedLeaves('https://files.example/', async () => new Response(body))
  await expect(source(0)).rejects.toThrow('a page of leaves is too large')
  expect(sent).toBeLessThan(15)
})
