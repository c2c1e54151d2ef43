// The test that checks the output of a crashing process preloads this file into the service. On a signal, this code
// throws an uncaught error or fills the heap, with text from the environment.
const words = process.env.WORDS ?? ''
process.on('SIGUSR2', () => {
  throw new Error(`${words}\n    at ${words}`, { cause: new TypeError(words) })
})
process.on('SIGWINCH', () => {
  const kept = []
  for (let index = 0; ; index += 1) kept.push([...`${words} ${index}`])
})
