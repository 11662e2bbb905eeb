// Two commands that start together in one folder must not install or build into each other.
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A lock that its owner has not written into after this time belongs to a command that was killed. */
const WRITTEN_WITHIN_MS = 10_000

/**
 * Does the work while this process holds the lock, and waits for another command to release it. The lock of a command
 * that was killed is taken over. Throws the error of the file system where the lock cannot be written.
 * @param {string} lock the path of a file
 * @param {() => Promise<void>} work
 */
export async function withLock(lock, work) {
  for (let attempt = 0; !(await tryToTake(lock)); attempt += 1) {
    if (attempt === 0) console.log('Another command is setting up this folder: waiting for it.')
    await wait(500)
  }
  try {
    await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function tryToTake(lock) {
  await mkdir(dirname(lock), { recursive: true })
  try {
    await writeFile(lock, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (await isAbandoned(lock)) await discard(lock)
    return false
  }
}

async function isAbandoned(lock) {
  const [pid, start = ''] = (await readFile(lock, 'utf8').catch(() => '')).split(' ')
  if (pid !== '') return !isAlive(Number(pid)) || (start !== '' && start !== startOf(Number(pid)))
  const written = await stat(lock).catch(() => null)
  return written !== null && Date.now() - written.mtimeMs > WRITTEN_WITHIN_MS
}

/** Two commands may find the same abandoned lock: the slower one must not remove the lock of the faster one. */
async function discard(lock) {
  const aside = `${lock}-${process.pid}`
  await rename(lock, aside).catch(() => {})
  if (await isAbandoned(aside)) await rm(aside, { force: true })
  else await rename(aside, lock).catch(() => {})
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** When a process started. The number of a killed command may have passed to another process. Empty where unknown. */
function startOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return ''
  }
}
