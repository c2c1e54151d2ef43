// Preloaded into every process that the demo starts. The demo holds one end of a pipe to the process's standard input.
// When the demo is killed, that end closes, and the process shuts down as on SIGTERM. So no orphaned process keeps a
// port or a data folder.
process.stdin.resume()
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'))
process.stdin.unref?.()
