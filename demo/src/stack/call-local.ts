/** Calls one of the local chain's own methods. */
export async function callLocal<Result>(
  rpcUrl: string,
  method: `localnet_${string}`,
  params: readonly unknown[],
): Promise<Result> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result: Result; error?: { message: string } }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
