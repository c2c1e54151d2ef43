// Preloaded into every process that the demo starts. When the demo is killed, its end of the pipe closes, and the
// process shuts down as on SIGTERM. So no orphaned process keeps a port or a data folder.
process.stdin.resume()
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'))
process.stdin.unref?.()
