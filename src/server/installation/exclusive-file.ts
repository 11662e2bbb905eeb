import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { codeOf } from '#server/error-code.ts'

/**
 * Creates a file of mode 0600 with its whole content at once, unless it is there already (then false).
 * Nobody ever sees it half-written: the content is written beside it and linked to its name.
 */
export async function createExclusively(path: string, content: string): Promise<boolean> {
  const draft = await writeDraft(path, content)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // A file system without hard links (shared folders of virtual machines): exclusive, though not at once.
    if (codeOf(error) === 'EPERM' || codeOf(error) === 'ENOTSUP') return writeNew(path, content)
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Writes `content` durably to a new file beside `path` and answers its name. */
export async function writeDraft(path: string, content: string): Promise<string> {
  const draft = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.draft`
  await writeNew(draft, content)
  return draft
}

/** Creates the home folder, readable by its owner alone. */
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
