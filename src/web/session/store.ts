import type { Token } from '#contract/identity/sessions/session.ts'
import type { Permission, Permissions } from '#contract/permissions.ts'
import { isRecord, parseRecord, readNumber, readText } from '#web/api/read-json.ts'

/** Our keys in local storage; specification section 4 names the first four. */
export const KEYS = {
  token: 'token',
  isRemember: 'isRemember',
  permissions: 'permissions',
  activeCustomer: 'activeCustomer',
  /** When a person last did something, in any tab. */
  activity: 'lastActivity',
  /** When any tab last sent the keepalive. */
  ping: 'lastKeepAlive',
  /** There for a moment, to tell the other tabs that nobody asked for the end that follows. */
  ended: 'sessionEnded',
} as const
type Key = (typeof KEYS)[keyof typeof KEYS]

/** Answers a participant has not sent yet outlive the session. */
const KEPT_PREFIX = 'unsent.'

/** The token as stored. `storedAt` is this browser's clock at the moment the token came, in milliseconds. */
export type OwnToken = Readonly<{ accessToken: string; expiresIn: number; storedAt: number }>

export const NO_TOKEN: OwnToken = { accessToken: '', expiresIn: 0, storedAt: 0 }

/** The stored token; what cannot be read is taken as the text it is, so that it is refused as no token. */
export function readToken(): OwnToken {
  const stored = localStorage.getItem(KEYS.token)
  if (stored === null) return NO_TOKEN
  const held = parseRecord(stored)
  if (!held) return { ...NO_TOKEN, accessToken: stored }
  return {
    accessToken: readText(held, 'accessToken'),
    expiresIn: readNumber(held, 'expiresIn'),
    storedAt: readNumber(held, 'storedAt'),
  }
}

/** Stores a token that just came from the server. */
export function storeToken(token: Token): OwnToken {
  const held = { ...token, storedAt: Date.now() }
  localStorage.setItem(KEYS.token, JSON.stringify(held))
  return held
}

/** The permissions last fetched; null before the first time. */
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

/** A moment kept under a key, 0 for none. */
export function readMoment(key: Key): number {
  return Number(localStorage.getItem(key)) || 0
}

export function storeMoment(key: Key, moment: number): void {
  localStorage.setItem(key, String(moment))
}

/** Tells the other tabs, before the storage is cleared, that the session was ended from outside. */
export function announceEnd(): void {
  localStorage.setItem(KEYS.ended, '1')
  localStorage.removeItem(KEYS.ended)
}

/** Specification section 4: signing out clears all local storage. */
export function clearStorage(): void {
  for (const key of Object.keys(localStorage)) if (!key.startsWith(KEPT_PREFIX)) localStorage.removeItem(key)
}
