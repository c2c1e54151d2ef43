// Preloaded into the service by the test that looks for what a dying process leaves behind: on a signal it
// throws an error that nobody catches, or fills the heap, each with the words of the environment.
const words = process.env.WORDS ?? ''
process.on('SIGUSR2', () => {
  throw new Error(`${words}\n    at ${words}`, { cause: new TypeError(words) })
})
process.on('SIGWINCH', () => {
  const kept = []
  for (let index = 0; ; index += 1) kept.push([...`${words} ${index}`])
})
