import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Pages without permissions: before signing in, of people without an account, and the menu, which the server makes. */
const OPEN = /^src\/web\/(identity\/(sign-in|passwords)|participants\/area|shell\/menu)\//
const ROUTER_LINK = /import \{[^}]*\bLink\b[^}]*\} from '@tanstack\/react-router'/

test('every link asks first whether its page may be opened', () => {
  const unasked = globSync('src/web/**/*.tsx').filter(
    (file) => !OPEN.test(file) && ROUTER_LINK.test(readFileSync(file, 'utf8')),
  )
  expect(unasked).toEqual([])
})
