#!/usr/bin/env node
// The entry point of `npm run demo`, `npm start`, `npm test` and all other commands in bootstrap/commands.mjs. It uses
// only Node's built-in modules, because it runs before any package is installed. If the user's Node is too old, this
// file prints an error. So old versions of Node must be able to parse this file.
import { commands, describeCommands } from './bootstrap/commands.mjs'
import { ensureInstalled } from './bootstrap/install.mjs'
import { tooOldMessage } from './bootstrap/node-version.mjs'
import { runChild } from './bootstrap/run-child.mjs'

async function main(name, args) {
  const complaint = tooOldMessage(process.versions.node)
  if (complaint !== null) {
    console.error(complaint)
    return 1
  }
  const command = commands[name]
  if (command === undefined) {
    console.error(describeCommands(name))
    return 2
  }
  const installed = await ensureInstalled()
  if (installed !== 0) return installed
  if (command.nodeArgs === null) return 0
  return runChild(command.nodeArgs.concat(args))
}

main(process.argv[2], process.argv.slice(3)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
