import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The product's version, from its package.json. */
export async function readVersion(projectFolder: string): Promise<string> {
  const text = await readFile(join(projectFolder, 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
