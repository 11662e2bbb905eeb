import { isRecord, parseRecord, readText } from '#web/api/read-json.ts'

/** A session that an invitation link began. */
export type ParticipantSession = Readonly<{ accessToken: string; participantId: string; targetId: string }>

// The storage of a tab: a reload keeps the session, another tab or a later visit needs the link.
const SESSION = 'participant.session'
const LINK = 'participant.link'

/** The session of this tab. */
export function readSession(): ParticipantSession | null {
  const stored = parseRecord(read(SESSION))
  if (!isRecord(stored)) return null
  const session = {
    accessToken: readText(stored, 'accessToken'),
    participantId: readText(stored, 'participantId'),
    targetId: readText(stored, 'targetId'),
  }
  return session.accessToken === '' ? null : session
}

/** Keeps a session for this tab; null forgets it. */
export function storeSession(session: ParticipantSession | null): void {
  write(SESSION, session === null ? null : JSON.stringify(session))
}

/** The token of a link that was not opened yet, from the address bar or from before a reload; '' without one. */
export function readLinkToken(): string {
  const token = window.location.hash.slice(1)
  if (!/^[\w-]{20,200}$/.test(token)) return read(LINK)
  write(LINK, token)
  return token
}

/** The token was used, or doesn't work. */
export function clearLinkToken(): void {
  write(LINK, null)
}

/** The token must not stay in the address bar or in the history. */
export function clearAddress(): void {
  const { hash, pathname, search } = window.location
  if (hash !== '') window.history.replaceState(window.history.state, '', `${pathname}${search}`)
}

/** For browsers that refuse storage: it lasts as long as the page. */
const memory = new Map<string, string>()

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? memory.get(key) ?? ''
  } catch {
    return memory.get(key) ?? ''
  }
}

function write(key: string, value: string | null): void {
  memory.delete(key)
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, value)
  } catch {
    if (value !== null) memory.set(key, value)
  }
}
