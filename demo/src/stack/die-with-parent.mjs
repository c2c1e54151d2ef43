// Preloaded into every process that the demo starts: when the demo is killed, its end of the pipe closes and
// the process shuts down as on SIGTERM, so that no orphan keeps a port or a data folder.
process.stdin.resume()
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'))
process.stdin.unref?.()
