import type { Token } from '#contract/identity/sessions/session.ts'
import type { Permission, Permissions } from '#contract/permissions.ts'
import { isRecord, parseRecord, readNumber, readText } from '#web/api/read-json.ts'

/** Our keys in local storage. Specification section 4 names the first four. */
export const KEYS = {
  token: 'token',
  isRemember: 'isRemember',
  permissions: 'permissions',
  activeCustomer: 'activeCustomer',
  /** When the user was last active, in any tab. */
  activity: 'lastActivity',
  /** When any tab last sent the keepalive. */
  ping: 'lastKeepAlive',
  /** Set briefly to tell other tabs that the session was ended from outside, not by the user. */
  ended: 'sessionEnded',
} as const
type Key = (typeof KEYS)[keyof typeof KEYS]

/** The token as stored. `storedAt` is the browser's clock when the token arrived, in milliseconds. */
export type OwnToken = Readonly<{ accessToken: string; expiresIn: number; storedAt: number }>

export const NO_TOKEN: OwnToken = { accessToken: '', expiresIn: 0, storedAt: 0 }

/**
 * The stored token. Unreadable content is used as the access token itself, so that it is rejected as
 * malformed.
 */
export function readToken(): OwnToken {
  const text = localStorage.getItem(KEYS.token)
  if (text === null) return NO_TOKEN
  const stored = parseRecord(text)
  if (!stored) return { ...NO_TOKEN, accessToken: text }
  return {
    accessToken: readText(stored, 'accessToken'),
    expiresIn: readNumber(stored, 'expiresIn'),
    storedAt: readNumber(stored, 'storedAt'),
  }
}

/** Stores a token just received from the server. */
export function storeToken(token: Token): OwnToken {
  const stored = { ...token, storedAt: Date.now() }
  localStorage.setItem(KEYS.token, JSON.stringify(stored))
  return stored
}

/** The last fetched permissions; null before the first fetch. */
export function readPermissions(): Permissions | null {
  const stored = parseRecord(localStorage.getItem(KEYS.permissions) ?? '')
  if (!stored || !Array.isArray(stored['permissions'])) return null
  const permissions: Permission[] = stored['permissions']
    .filter(isRecord)
    .map((entry) => ({ func: readNumber(entry, 'func'), opr: readNumber(entry, 'opr') }))
  return { isSuper: stored['isSuper'] === true, permissions }
}

export function storePermissions(permissions: Permissions | null): void {
  if (permissions === null) localStorage.removeItem(KEYS.permissions)
  else localStorage.setItem(KEYS.permissions, JSON.stringify(permissions))
}

export function isRemembered(): boolean {
  return localStorage.getItem(KEYS.isRemember) === 'true'
}

export function remember(isRemember: boolean): void {
  if (isRemember) localStorage.setItem(KEYS.isRemember, 'true')
  else localStorage.removeItem(KEYS.isRemember)
}

/** The time stored under a key, 0 for none. */
export function readTime(key: Key): number {
  return Number(localStorage.getItem(key)) || 0
}

export function storeTime(key: Key, time: number): void {
  localStorage.setItem(key, String(time))
}

/** Tells other tabs, before the storage is cleared, that the session was ended from outside, and why if that is known. */
export function announceEnd(why: string | null): void {
  localStorage.setItem(KEYS.ended, why ?? '')
  localStorage.removeItem(KEYS.ended)
}

/** Specification section 4: signing out clears all local storage. Unsent answers of participants are in a database. */
export function clearStorage(): void {
  for (const key of Object.keys(localStorage)) localStorage.removeItem(key)
}
