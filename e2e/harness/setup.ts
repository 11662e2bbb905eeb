import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { discardTestHome } from '#test/engine/home.ts'
import { startProduct } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The home of an installation with its demo world that nobody has used; null where it cannot be copied. */
    installation: string | null
  }
}

/** Installs the product once for the whole run: every file of tests begins with a copy, which takes a tenth of the time. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const product = await startProduct()
  await product.end()
  // Where the path is too long for a server's socket, its data lie elsewhere and the home only points there.
  const isWhole = (await lstat(join(product.home, 'postgres'))).isDirectory()
  project.provide('installation', isWhole ? product.home : null)
  return () => discardTestHome(product.home)
}
