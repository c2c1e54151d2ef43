import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { httpLeaves } from './http-leaves.ts'

const COUNT = 2_600
const text = (leaf: number) => (leaf + 1).toString(16).padStart(64, '0')

interface Source {
  readonly url: string
  readonly asked: string[]
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/**
 * A server of published leaves. `answer` gets the index of a page's first leaf, and returns the page's text, or
 * undefined for status 404.
 */
async function host(answer: (first: number) => string | undefined): Promise<Source> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host')
    asked.push(request.url ?? '')
    const file = /\/(\d+)\.json$/.exec(pathname)?.[1]
    const page = answer(Number(file ?? searchParams.get('from')))
    response.writeHead(page === undefined ? 404 : 200)
    response.end(page ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked }
}

function pageOf(first: number): string | undefined {
  if (first >= COUNT) return undefined
  const length = Math.min(1_024, COUNT - first)
  const leaves = Array.from({ length }, (_, place) => text(first + place))
  return JSON.stringify({ success: true, from: first, leaves, nextIndex: first + length })
}

const expected = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, place) => BigInt(from + place + 1))

it('reads leaves from a service and from a folder in whole pages', async () => {
  const { url, asked } = await host(pageOf)
  for (const source of [`${url}/transfer/v1/leaves`, `${url}/sotto`, `${url}/sotto/`]) {
    expect(await httpLeaves(source).read(1_000, 2_500)).toEqual(expected(1_000, 2_500))
  }
  expect(asked.slice(0, 3).sort()).toEqual(
    [0, 1_024, 2_048].map((from) => `/transfer/v1/leaves?from=${from}`),
  )
  expect(asked.slice(3, 6).sort()).toEqual([
    '/sotto/0.json',
    '/sotto/1024.json',
    '/sotto/2048.json',
  ])
})

it('continues a failed read, but requests all pages again after `forget`', async () => {
  let isDown = true
  const { url, asked } = await host((first) => (isDown && first > 0 ? undefined : pageOf(first)))
  const leaves = httpLeaves(url)
  await expect(leaves.read(0, COUNT)).rejects.toThrow('404')
  isDown = false
  expect(await leaves.read(0, COUNT)).toEqual(expected(0, COUNT))
  expect(asked.filter((one) => one === '/0.json')).toHaveLength(1)
  leaves.forget()
  await leaves.read(0, 1_024)
  expect(asked.filter((one) => one === '/0.json')).toHaveLength(2)
})

it('requests a page again only if it may have grown', async () => {
  let count = 1_500
  const growing = (first: number) => {
    const leaves = Array.from({ length: Math.min(1_024, count - first) }, (_, place) =>
      text(first + place),
    )
    return JSON.stringify({ leaves })
  }
  const { url, asked } = await host(growing)
  const leaves = httpLeaves(url)
  expect(await leaves.read(0, 1_500)).toEqual(expected(0, 1_500))
  count = 1_600
  expect(await leaves.read(0, 1_600)).toEqual(expected(0, 1_600))
  expect(asked.toSorted()).toEqual(['/0.json', '/1024.json', '/1024.json'])
})

it.each([
  ['too few leaves', JSON.stringify({ leaves: [text(0)] })],
  ['a leaf that is not an element of the field', JSON.stringify({ leaves: ['f'.repeat(64)] })],
  ['another form', JSON.stringify({ leaves: [1] })],
  ['no JSON', '<html>'],
])('refuses a page with %s', async (_, page) => {
  const { url } = await host(() => page)
  await expect(httpLeaves(url).read(0, 2)).rejects.toThrow('leaves')
})

it('refuses to read more leaves than any catch-up needs', async () => {
  const { url, asked } = await host(pageOf)
  await expect(httpLeaves(url).read(0, 5_000_000)).rejects.toThrow('leaves')
  expect(asked).toEqual([])
})
