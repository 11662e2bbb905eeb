import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { codeOf } from '#server/error-code.ts'

/**
 * Atomically creates a file of mode 0600 with its content. Returns false if the file already exists.
 * It is never visible half-written: the content goes to a temporary file, which is then linked to the name.
 */
export async function createExclusively(path: string, content: string): Promise<boolean> {
  const draft = await writeDraft(path, content)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // File systems without hard links (shared folders of virtual machines): exclusive, but not atomic.
    if (codeOf(error) === 'EPERM' || codeOf(error) === 'ENOTSUP') return writeNew(path, content)
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Writes `content` durably to a new file next to `path`. @returns the path of that file */
export async function writeDraft(path: string, content: string): Promise<string> {
  const draft = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.draft`
  await writeNew(draft, content)
  return draft
}

/** Creates the home folder, readable only by its owner. */
export async function createHome(home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 })
}

async function writeNew(path: string, content: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') return null
    throw error
  })
  if (file === null) return false
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  return true
}
