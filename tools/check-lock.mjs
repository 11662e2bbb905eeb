// Fails if the lock file would not install the same packages everywhere.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Finds problems in a package.json and its package-lock.json, one sentence each.
 * @returns {string[]}
 */
export function findLockFaults(manifest, lock) {
  const entries = Object.entries(lock.packages)
  return [
    ...findInexact(manifest),
    ...findDrift(manifest, lock.packages['']),
    ...entries.flatMap(([path, entry]) => findEntryFaults(path, entry)),
    ...entries.flatMap(([path, entry]) => findMissingPlatforms(path, entry, lock.packages)),
    ...entries.flatMap(([path, entry]) => findUndecidedScript(path, entry, manifest.allowScripts ?? {})),
  ]
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies']

function findInexact(manifest) {
  return KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json: ${name} has no exact version (${version}).`)
}

function findDrift(manifest, root) {
  return KINDS.filter((kind) => !isSame(manifest[kind], root?.[kind])).map(
    (kind) =>
      `package-lock.json: its ${kind} differ from those of package.json. Run npm install --package-lock-only.`,
  )
}

function isSame(ours = {}, theirs = {}) {
  const sorted = (group) => JSON.stringify(Object.entries(group).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return sorted(ours) === sorted(theirs)
}

function findEntryFaults(path, entry) {
  const faults = []
  if (entry.resolved) faults.push(`${path} contains the address of a registry.`)
  if (entry.extraneous) faults.push(`${path} is not needed. Run npm install --package-lock-only.`)
  if (path && !entry.version) faults.push(`${path} has no version.`)
  return faults
}

function findMissingPlatforms(path, entry, packages) {
  return Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !isReachable(path, name, packages))
    .map((name) => `${path || 'package.json'}: ${name} is not in the lock file, so npm ci would fail.`)
}

/** Node looks for a package in the folder that needs it and in every folder above. */
function isReachable(path, name, packages) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true
    if (!folder) return false
  }
}

function findUndecidedScript(path, entry, allowed) {
  const name = path.split('node_modules/').pop()
  if (
    !entry.hasInstallScript ||
    Object.keys(allowed).some((key) => key === name || key.startsWith(`${name}@`))
  ) {
    return []
  }
  return [`${name} has an install script that allowScripts in package.json does not decide.`]
}

if (process.argv[1] === import.meta.filename) {
  const read = (name) => JSON.parse(readFileSync(join(resolve(import.meta.dirname, '..'), name), 'utf8'))
  const faults = findLockFaults(read('package.json'), read('package-lock.json'))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
