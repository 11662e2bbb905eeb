import { z } from 'zod'

const KEY = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const MAX_KEY = 40
const MIN_KEY = 2
const MAX_ADDRESS = 2_000

/** Of generated keys: nothing that looks like something else on a sign, such as 0 and o or 1, i and l. */
const CLEAR = 'abcdefghjkmnpqrstuvwxyz23456789'
const GENERATED = 6

/** Makes a key from random bytes, of which it takes the first six. */
export function generateKey(bytes: Uint8Array): string {
  return Array.from(bytes.slice(0, GENERATED), (byte) => CLEAR.charAt(byte % CLEAR.length)).join('')
}

/** A key as its address has it. Case is ignored: people type keys from signs. */
export const shortKey = z
  .string('Key must be text.')
  .trim()
  .toLowerCase()
  .min(MIN_KEY, `A key has at least ${MIN_KEY} characters.`)
  .max(MAX_KEY, `A key may have at most ${MAX_KEY} characters.`)
  .regex(KEY, 'Use letters from a to z, digits and hyphens, such as spring-sale.')

/** The key in an address as it was opened; null if no short URL could have it. */
export function readKey(text: string): string | null {
  const key = shortKey.safeParse(text)
  return key.success ? key.data : null
}

/**
 * An optional address of a page or picture on the web. Only https: anything else could run in the visitor's browser, or lead
 * somewhere that isn't a site.
 */
export function webAddress(label: string) {
  return z
    .string(`${label} must be text.`)
    .trim()
    .max(MAX_ADDRESS, `${label} may have at most ${MAX_ADDRESS} characters.`)
    .nullable()
    .transform((text, context) => {
      if (text === null || text === '') return null
      const address = readWebAddress(text)
      if (address !== null) return address
      context.addIssue(`${label} must be a web address that starts with https://.`)
      return z.NEVER
    })
    .optional()
}

/** The address with its scheme in lowercase; null if it isn't one of https, or has a user name, which hides where it leads. */
function readWebAddress(text: string): string | null {
  const isAddress = z.url({ protocol: /^https$/ }).safeParse(text).success
  const isPublic = /^https:\/\/[^\s/?#@\\]+\.[^\s/?#@\\]+(?:[/?#][^\s\p{Cc}]*)?$/iu.test(text)
  return isAddress && isPublic ? text.replace(/^https/i, 'https') : null
}
