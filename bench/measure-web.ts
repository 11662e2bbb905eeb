import { FIRST_LIST, LIMITS, SIGN_IN, bundleSize } from '#e2e/harness/bundle-size.ts'
import type { Row } from './run.ts'

/** The code a browser loads for a page, from the build manifest. */
export async function measureWeb(): Promise<Row[]> {
  const pages = [
    { what: 'code of the sign-in page', sources: SIGN_IN, limit: LIMITS.signIn },
    { what: 'code of the shell with its first list', sources: FIRST_LIST, limit: LIMITS.firstList },
  ]
  return Promise.all(
    pages.map(async ({ what, sources, limit }) => {
      const size = await bundleSize(sources)
      return {
        what: `${what}, gzipped`,
        measured: `${size.toFixed(1)} kB`,
        comparison: `limit: ${limit} kB`,
        ratio: (size / limit).toFixed(2),
      }
    }),
  )
}
