/** Equal to `engines.node` in package.json; a test compares the two. */
export const nodeVersionMin = '20.18.0'

/**
 * The text for a Node that is too old, or null if `version` ("20.18.1") will do. Pre-release
 * suffixes are ignored: a nightly of a good version is good enough to try.
 */
export function tooOldMessage(version) {
  if (compareVersions(version, nodeVersionMin) >= 0) return null
  return (
    `Sotto needs Node ${nodeVersionMin} or newer; this is Node ${version}.\n` +
    'Install a current one from https://nodejs.org and run the command again.'
  )
}

function compareVersions(left, right) {
  const a = left.split('-')[0].split('.').map(Number)
  const b = right.split('-')[0].split('.').map(Number)
  for (let index = 0; index < 3; index += 1) {
    if (a[index] !== b[index]) return a[index] < b[index] ? -1 : 1
  }
  return 0
}
