// Preloaded into every process that the demo starts. The process's standard input is a pipe, and the demo holds the
// other end. If the demo is killed, the pipe closes, and the process shuts down as on SIGTERM. So no orphaned process
// keeps a port or a data folder in use.
process.stdin.resume()
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'))
process.stdin.unref?.()
