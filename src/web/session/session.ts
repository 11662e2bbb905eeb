import { DEFAULT_FAILURE } from '#contract/answer.ts'
import {
  ACTIVITY_THROTTLE_MS,
  type Claims,
  KEEP_ALIVE_SECONDS,
  NO_ORGANIZATION,
  type Token,
} from '#contract/identity/sessions/session.ts'
import type { Permissions } from '#contract/permissions.ts'
import { call, delaySignIn } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { refreshDue, serverAhead } from './clock.ts'
import { drafts } from './drafts.ts'
import { idleState, type IdleTimes, watchActivity } from './idle.ts'
import { Interruption } from './interruption.ts'
import * as store from './store.ts'
import { isAuthenticated, isPartialSignIn, canResume, readClaims } from './token.ts'

export type SessionView = Readonly<{
  claims: Claims | null
  /** Null until they are fetched. */
  permissions: Permissions | null
  /** Seconds until the idle timeout, during the countdown. */
  secondsLeft: number | null
  /** The session was ended elsewhere while there were unsaved changes. The user can sign in again over the page. */
  isInterrupted: boolean
  /** The organization that the user switched to in another tab while this one has unsaved changes. The user decides which counts. */
  switchedTo: string | null
  /** The user no longer has access to the organization that they work in. */
  isRemoved: boolean
  /** Why the session was ended elsewhere, as a sentence; null if that isn't known. */
  endedBecause: string | null
}>

const SIGNED_OUT: SessionView = {
  claims: null,
  permissions: null,
  secondsLeft: null,
  isInterrupted: false,
  switchedTo: null,
  isRemoved: false,
  endedBecause: null,
}

/**
 * `begun`: another tab signed in. `switched`: the organization or user changed, but not in this tab; `lost` is the name of the
 * organization if the user no longer has access to it. `ended`: signed out; `isAsked` is true if the user requested it, `isIdle` if
 * they were away for too long, `why` is the reason if it was ended elsewhere.
 */
export type SessionEvent =
  | { kind: 'begun' }
  | { kind: 'switched'; lost?: string }
  | { kind: 'ended'; isAsked: boolean; isIdle?: boolean; why?: string }

const TICK_MS = 1_000
/** Delay before retrying a refresh that didn't reach the server. */
const REFRESH_RETRY_MS = 5_000

/** Loaded on demand, because the sign-in page needs none of these calls and is a fifth smaller without them. */
/** Permissions are read again after a refused call at most this often. */
const RECHECK_MS = 5_000
const loadCalls = async () => (await import('#contract/identity/auth.ts')).auth

/** The server's sentence, if it gave one. */
const reasonIn = ({ message }: CallFailure): string | null => (message === DEFAULT_FAILURE ? null : message)

/** Owns the token, the timers and the communication between tabs. One instance per page. */
export class Session {
  readonly #times: IdleTimes
  readonly #viewers = new Set<() => void>()
  readonly #listeners = new Set<(event: SessionEvent) => void>()
  #token = store.NO_TOKEN
  #view = SIGNED_OUT
  #stop: (() => void) | null = null
  #refreshing: Promise<void> | null = null
  /** Aborts a refresh in progress: its cookies must not arrive after a sign-out or a switch. */
  #cut = new AbortController()
  #isStarting = false
  #refreshAt = Infinity
  /** As of the last reading of the permissions; null until the first keepalive after they were read at the start. */
  #permissionsVersion: string | null = null
  #permissionsRead: Promise<unknown> = Promise.resolve()
  #recheckedAt = 0
  #interruption: Interruption | null = null
  /** The next clearing of the storage wasn't requested by the user. */
  #isEndedElsewhere = false
  /** Why the server ended the session, once it said so. */
  #endedBecause: string | null = null

  constructor(times: IdleTimes) {
    this.#times = times
    window.addEventListener('storage', (event) => this.#follow(event))
  }

  /** Arrow functions, so that they can be passed to React's useSyncExternalStore. */
  readonly view = () => this.#view
  readonly subscribe = (viewer: () => void) => {
    this.#viewers.add(viewer)
    return () => void this.#viewers.delete(viewer)
  }

  listen(listener: (event: SessionEvent) => void): void {
    this.#listeners.add(listener)
  }

  get accessToken(): string {
    return this.#token.accessToken
  }

  /** The server's clock, in milliseconds. */
  get now(): number {
    return Date.now() + serverAhead(this.#token)
  }

  /**
   * Specification section 4: refreshes at app start. A verified user is signed in at once. A remembered user
   * is signed in after the response, because the stored token may have expired long ago. Returns an error
   * message if the stored token is malformed.
   */
  async start(): Promise<string | null> {
    this.#token = store.readToken()
    if (this.#token.accessToken === '' && !store.isRemembered()) return null
    try {
      if (this.accessToken !== '') readClaims(this.accessToken)
    } catch (error) {
      this.#clear()
      return error instanceof Error ? error.message : null
    }
    if (store.isRemembered()) {
      this.#isStarting = true
      await this.#refresh().finally(() => (this.#isStarting = false))
      if (isAuthenticated(this.accessToken, this.now)) this.#login()
      return null
    }
    if (!isAuthenticated(this.accessToken, this.now)) {
      this.#clear()
      return null
    }
    this.#login()
    void this.#refresh()
    return null
  }

  /** Stores the token, fetches permissions, and starts the refresh timer, idle watch and keepalive. */
  begin(token: Token, { isRemember }: { isRemember: boolean }): void {
    store.remember(isRemember)
    store.storePermissions(null)
    this.#token = store.storeToken(token)
    this.#login()
  }

  /** Switches to another organization. Permissions may differ there. */
  switchOrganization(token: Token): void {
    this.#token = store.storeToken(token)
    store.storePermissions(null)
    this.#login()
  }

  /** Specification section 4: starts or ends impersonation. The page is reloaded right after. */
  switchUser(token: Token): void {
    this.#cutRefresh()
    this.#token = store.storeToken(token)
    store.storePermissions(null)
  }

  /** Refreshes immediately, when the current token's session state is known to have ended. */
  refreshNow(): void {
    void this.#refresh()
  }

  /** Ends the session in all tabs and on the server. Signs out locally even if the server can't be reached. */
  async logout(): Promise<void> {
    const told = this.#sayGoodbye()
    this.#clear()
    this.#tell({ kind: 'ended', isAsked: true })
    await told
  }

  /** Ends the session without a user request: persistent 401, rejected refresh or idle timeout. */
  readonly expire = () => {
    if (this.accessToken === '') return
    // Another tab may have been the first to notice; the countdown was shown in all.
    const isIdle = this.#view.secondsLeft !== null
    const why = this.#endedBecause
    this.#clear()
    this.#tell({ kind: 'ended', isAsked: false, ...(isIdle && { isIdle }), ...(why !== null && { why }) })
  }

  /** Returns the other tab to the organization of this one, whose unsaved changes stay. */
  async returnToOrganization(): Promise<void> {
    const { claims } = this.#view
    const token = store.readToken().accessToken
    const { changeOrganization } = await loadCalls()
    const organizationId = claims?.organizationId ?? ''
    const back = await call(changeOrganization, { organizationId, token }, { bearer: token })
    this.#take(store.storeToken(back))
  }

  /** Follows the other tab to its organization. What was typed here stays on this device. */
  followSwitch(): void {
    drafts.clear()
    this.#take(store.readToken())
  }

  /**
   * A token other than the rejected one, refreshed in this or another tab; empty if there is none. Data entered for
   * one organization must never be sent to another, so a token of another organization doesn't count.
   */
  readonly renew = async (refused: string): Promise<string> => {
    if (refused === '' || this.accessToken === '') return ''
    if (this.accessToken === refused && this.#interruption === null) await this.#refresh()
    await this.#interruption?.over
    if (this.accessToken === '' || this.accessToken === refused) return ''
    return this.#isOther(refused) ? '' : this.accessToken
  }

  /**
   * Continues with the unsaved changes if the same user signed in to the same organization. Anyone else starts at the
   * dashboard without them.
   */
  resume(token: Token): void {
    const isRemember = this.#interruption?.isRemembered ?? false
    if (this.#isOther(token.accessToken)) {
      const switched = this.#switchTo(token.accessToken)
      this.begin(token, { isRemember })
      return this.#tell(switched)
    }
    store.remember(isRemember)
    store.storePermissions(this.#view.permissions)
    this.#take(store.storeToken(token))
  }

  #login(): void {
    this.#endInterruption()
    this.#isEndedElsewhere = false
    this.#endedBecause = null
    this.#cutRefresh()
    this.#refreshAt = refreshDue(this.#token)
    this.#permissionsVersion = null
    store.storeTime(store.KEYS.activity, Date.now())
    this.#show({
      ...SIGNED_OUT,
      claims: readClaims(this.accessToken),
      permissions: store.readPermissions(),
    })
    this.#permissionsRead = this.#fetchPermissions()
    if (this.#stop) return
    const unwatch = watchActivity(() => this.#act(), ACTIVITY_THROTTLE_MS)
    const beat = setInterval(() => this.#tick(), TICK_MS)
    this.#stop = () => {
      unwatch()
      clearInterval(beat)
    }
    this.#tick()
  }

  #tick(): void {
    const now = Date.now()
    // Another tab may have cleared the storage while this one waits for its user.
    if (this.#interruption !== null && store.readTime(store.KEYS.activity) === 0) this.#act()
    const idle = idleState(store.readTime(store.KEYS.activity), now, this.#times)
    if (idle.kind === 'over') return this.#timeOut()
    const secondsLeft = idle.kind === 'warning' ? idle.secondsLeft : null
    if (secondsLeft !== this.#view.secondsLeft) this.#show({ ...this.#view, secondsLeft })
    if (this.#interruption !== null || this.#view.switchedTo !== null) return
    if (now >= this.#refreshAt) void this.#refresh()
    if (idle.kind === 'active' && now - store.readTime(store.KEYS.ping) >= KEEP_ALIVE_SECONDS * 1000) {
      void this.#keepAlive(now)
    }
  }

  #act(): void {
    // After sleep, user activity may come before the next tick, when it is already too late.
    const last = store.readTime(store.KEYS.activity)
    if (last !== 0 && idleState(last, Date.now(), this.#times).kind === 'over') return this.#timeOut()
    store.storeTime(store.KEYS.activity, Date.now())
    if (this.#view.secondsLeft !== null) this.#tick()
  }

  #timeOut(): void {
    void this.#sayGoodbye()
    this.expire()
  }

  /** Passes the token explicitly, because it is cleared before the call is made. */
  #sayGoodbye(): Promise<unknown> {
    const bearer = this.accessToken
    const cut = new AbortController()
    const told = loadCalls()
      .then(({ signOut }) => call(signOut, {}, { bearer, signal: cut.signal }))
      .catch(() => null)
    delaySignIn(told, () => cut.abort())
    return told
  }

  async #keepAlive(now: number): Promise<void> {
    store.storeTime(store.KEYS.ping, now)
    const state = await this.#readState(now)
    if (!state) return
    if (this.#permissionsVersion === state.permissionsVersion) return
    if (await this.#fetchPermissions()) this.#permissionsVersion = state.permissionsVersion
  }

  async #readState(now: number) {
    const idleMs = Math.max(0, now - store.readTime(store.KEYS.activity))
    const { keepAlive } = await loadCalls()
    return call(keepAlive, { idleMs }).catch(() => null)
  }

  /** The permissions, once they were read from the server; null if they can't be. */
  async readPermissions(): Promise<SessionView['permissions']> {
    await this.#permissionsRead
    return this.#view.permissions
  }

  /** Reads the permissions again after a call was refused: they may have changed. */
  readonly recheck = () => {
    if (Date.now() - this.#recheckedAt < RECHECK_MS || this.#view.permissions === null) return
    this.#recheckedAt = Date.now()
    void this.#fetchPermissions()
  }

  /** @returns whether they were read. */
  async #fetchPermissions(): Promise<boolean> {
    const bearer = this.accessToken
    const { authFunc } = await loadCalls()
    const permissions = await call(authFunc, {}).catch(() => null)
    const isRemoved = permissions !== null && (await this.#isRemoved(permissions))
    // Ignore a response for the organization before a switch.
    if (!permissions || this.accessToken === '' || this.#isOther(bearer)) return false
    store.storePermissions(permissions)
    // What is the same stays, so that nothing that depends on it is read again.
    const isSame = JSON.stringify(permissions) === JSON.stringify(this.#view.permissions)
    if (!isSame || isRemoved !== this.#view.isRemoved) this.#show({ ...this.#view, permissions, isRemoved })
    return true
  }

  /** Whether there are no permissions because the user no longer has access to the organization. */
  async #isRemoved({ isSuper, permissions }: Permissions): Promise<boolean> {
    if (isSuper || permissions.length > 0 || !this.#hasOrganization(this.accessToken)) return false
    const state = await this.#readState(Date.now())
    return state?.organizationId === NO_ORGANIZATION
  }

  #hasOrganization(accessToken: string): boolean {
    return accessToken !== '' && readClaims(accessToken).organizationId !== NO_ORGANIZATION
  }

  /** The switch to this token; names the organization if its user may no longer work there. */
  #switchTo(accessToken: string): SessionEvent {
    const [ours, theirs] = [readClaims(this.accessToken), readClaims(accessToken)]
    const isSamePerson =
      ours.userId === theirs.userId &&
      ours.impersonateUserId === theirs.impersonateUserId &&
      theirs.isVerified === 'true'
    const isLost =
      isSamePerson && this.#hasOrganization(this.accessToken) && !this.#hasOrganization(accessToken)
    return { kind: 'switched', ...(isLost && { lost: ours.organizationName }) }
  }

  /** One refresh at a time across all tabs. A second one reuses the first one's token. */
  #refresh(): Promise<void> {
    const run = () => this.#exchange().finally(() => (this.#refreshing = null))
    // Without Web Locks (plain http on another host), the server's 30 s grace period gives both tabs the same
    // successor.
    this.#refreshing ??= 'locks' in navigator ? navigator.locks.request('forecourt-refresh', run) : run()
    return this.#refreshing
  }

  async #exchange(): Promise<void> {
    const asked = this.accessToken
    if (!this.#isHeld(asked)) return this.#catchUp()
    if (!isAuthenticated(asked, this.now) && !store.isRemembered()) return this.expire()
    this.#refreshAt = Date.now() + REFRESH_RETRY_MS
    const { signal } = this.#cut
    const answer = await loadCalls()
      .then(({ refreshToken }) => call(refreshToken, { token: asked }, { signal }))
      .catch((failure: unknown) => (failure instanceof CallFailure ? failure : null))
    // The response is for a token that has been replaced by a sign-out or a switch.
    if (!this.#isHeld(asked)) return this.#catchUp()
    if (answer === null) return
    if (answer instanceof CallFailure) {
      const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 429
      return isRefused ? this.#lose(asked, answer.status === 401 ? reasonIn(answer) : null) : undefined
    }
    if (asked !== '' && this.#isOther(answer.accessToken)) store.storePermissions(null)
    this.#take(store.storeToken(answer))
  }

  /** The session was ended early by someone. If there are unsaved changes, its user can sign in again. */
  #lose(accessToken: string, why: string | null): void {
    this.#endedBecause = why
    if (drafts.size === 0 || !canResume(accessToken, this.now)) {
      store.announceEnd(why)
      return this.expire()
    }
    if (this.#interruption !== null) return
    this.#interruption = new Interruption({ isRemembered: store.isRemembered() })
    this.#refreshAt = Infinity
    this.#show({ ...this.#view, isInterrupted: true, endedBecause: why })
    // It is said over the page, so not again after leaving it.
    this.#endedBecause = null
  }

  #endInterruption(): void {
    this.#interruption?.end()
    this.#interruption = null
  }

  #cutRefresh(): void {
    this.#cut.abort()
    this.#cut = new AbortController()
  }

  /** Whether this token is still current, in this tab and in storage. */
  #isHeld(accessToken: string): boolean {
    if (this.accessToken !== accessToken || store.readToken().accessToken !== accessToken) return false
    // Before a remembered session has a token, only the missing isRemember flag shows a sign-out.
    return accessToken !== '' || store.isRemembered()
  }

  /**
   * Tabs communicate through storage: a different token there comes from another tab, and a missing token is
   * its sign-out.
   */
  #catchUp(): void {
    const stored = store.readToken()
    if (stored.accessToken === '') {
      const isElsewhere = this.#isEndedElsewhere
      this.#isEndedElsewhere = false
      return isElsewhere ? this.#lose(this.accessToken, this.#endedBecause) : this.expire()
    }
    if (stored.accessToken !== this.accessToken) this.#take(stored)
  }

  /** Uses a token from a refresh or another tab. One of another organization or user is a switch. */
  #take(token: store.OwnToken): void {
    const isBegun = this.#view.claims === null
    // Another tab is in the middle of signing in again. Wait for the result.
    if (this.#interruption !== null && isPartialSignIn(token.accessToken, this.#view.claims)) return
    const isSwitched = !isBegun && this.#isOther(token.accessToken)
    if (isSwitched && this.#mustAsk(token.accessToken)) return
    const switched = isSwitched ? this.#switchTo(token.accessToken) : null
    this.#token = token
    // `start` handles the sign-in, and nothing is open yet that a switch could affect.
    if (this.#isStarting) return
    if (this.#interruption !== null && !isSwitched) return this.#login()
    if (isBegun || isSwitched) {
      this.#login()
      return this.#tell(switched ?? { kind: 'begun' })
    }
    this.#refreshAt = refreshDue(token)
    this.#show({ ...this.#view, claims: readClaims(token.accessToken), switchedTo: null })
  }

  /** Whether the user has to decide about unsaved changes before this tab follows another one to its organization. */
  #mustAsk(accessToken: string): boolean {
    const [ours, theirs] = [readClaims(this.accessToken), readClaims(accessToken)]
    const isSamePerson =
      ours.userId === theirs.userId &&
      ours.impersonateUserId === theirs.impersonateUserId &&
      ours.isVerified === theirs.isVerified
    if (!isSamePerson || drafts.size === 0 || this.#interruption !== null || this.#isStarting) return false
    if (theirs.organizationId === NO_ORGANIZATION) return false
    this.#refreshAt = Infinity
    this.#show({ ...this.#view, switchedTo: theirs.organizationName })
    return true
  }

  /** Handles changes made by another tab. */
  #follow(event: StorageEvent): void {
    if (event.key === store.KEYS.ended && event.newValue !== null) {
      this.#isEndedElsewhere = true
      this.#endedBecause = event.newValue || null
    }
    if (event.key === store.KEYS.activity && this.#view.secondsLeft !== null) return this.#tick()
    if (event.key === store.KEYS.permissions && this.#view.claims) {
      const permissions = store.readPermissions()
      // None at all: this tab asks itself why.
      if (permissions?.permissions.length === 0) return void this.#fetchPermissions()
      return permissions ? this.#show({ ...this.#view, permissions, isRemoved: false }) : undefined
    }
    if (event.key === store.KEYS.token || event.key === null) this.#catchUp()
  }

  #isOther(accessToken: string): boolean {
    const [ours, theirs] = [readClaims(this.accessToken), readClaims(accessToken)]
    return (
      // The second factor was given in another tab. This tab's state was for the unverified session.
      ours.isVerified !== theirs.isVerified ||
      ours.organizationId !== theirs.organizationId ||
      ours.userId !== theirs.userId ||
      ours.impersonateUserId !== theirs.impersonateUserId
    )
  }

  #clear(): void {
    this.#stop?.()
    this.#stop = null
    this.#refreshAt = Infinity
    this.#cutRefresh()
    this.#token = store.NO_TOKEN
    store.clearStorage()
    this.#endInterruption()
    this.#show(SIGNED_OUT)
  }

  #show(view: SessionView): void {
    this.#view = view
    for (const viewer of this.#viewers) viewer()
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
