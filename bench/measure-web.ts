import { FIRST_LIST, LIMITS, SIGN_IN, weigh } from '#e2e/harness/weigh.ts'
import type { Row } from './run.ts'

/** What a browser loads before it can work, from the manifest of the build. */
export async function measureWeb(): Promise<Row[]> {
  const pages = [
    { what: 'code of the sign-in page', sources: SIGN_IN, limit: LIMITS.signIn },
    { what: 'code of the shell with its first list', sources: FIRST_LIST, limit: LIMITS.firstList },
  ]
  return Promise.all(
    pages.map(async ({ what, sources, limit }) => {
      const size = await weigh(sources)
      return {
        what: `${what}, gzipped`,
        measured: `${size.toFixed(1)} kB`,
        beside: `limit: ${limit} kB`,
        ratio: (size / limit).toFixed(2),
      }
    }),
  )
}
