import type { TestProject } from 'vitest/node'
import { startTestEngine, type TestEngine } from './engine.ts'
import { findHomes, HOMES } from './home.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine
  }
}

/**
 * Starts one server for the whole run, with a migrated and seeded template. FORECOURT_TEST_POSTGRES=15 uses Debian's
 * PostgreSQL 15.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isOld = process.env.FORECOURT_TEST_POSTGRES === '15' || project.name.endsWith('postgres15')
  // The tests with millions of rows would not fit in memory.
  const homes = project.name.startsWith('prove-') ? HOMES : await findHomes('forecourt-test')
  const { stop, ...engine } = await startTestEngine({ isOld, homes })
  project.provide('engine', engine)
  return stop
}
