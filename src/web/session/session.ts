import {
  ACTIVITY_THROTTLE_MS,
  type Claims,
  KEEP_ALIVE_SECONDS,
  type Token,
} from '#contract/identity/session.ts'
import type { Permissions } from '#contract/permissions.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { refreshDue, serverAhead } from './clock.ts'
import { idleState, type IdleTimes, watchActivity } from './idle.ts'
import * as store from './store.ts'
import { isAuthenticated, isVerified, readClaims } from './token.ts'

export type SessionView = Readonly<{
  claims: Claims | null
  /** Null until they were fetched. */
  permissions: Permissions | null
  /** Seconds until the idle time-out, while it counts down. */
  secondsLeft: number | null
}>

/**
 * `begun`: another tab signed in. `switched`: the organization or the person changed in another tab.
 * `ended`: signed out; `isAsked` says whether the person asked for it.
 */
export type SessionEvent = { kind: 'begun' | 'switched' } | { kind: 'ended'; isAsked: boolean }

const TICK_MS = 1_000
/** How long signing out waits for the server before it goes on without it. */
const SIGN_OUT_PATIENCE_MS = 2_000
/** A refresh that did not reach the server is tried again after this long. */
const REFRESH_RETRY_MS = 5_000

/**
 * The calls of the session with their schemas come late: without them the sign-in page is a fifth smaller, and
 * nothing is called before somebody signs in.
 */
const loadCalls = async () => (await import('#contract/identity/auth.ts')).auth

/** Owns the token, the timers and the talk between tabs. One for the life of the page. */
export class Session {
  readonly #times: IdleTimes
  readonly #viewers = new Set<() => void>()
  readonly #listeners = new Set<(event: SessionEvent) => void>()
  #token = store.NO_TOKEN
  #view: SessionView = { claims: null, permissions: null, secondsLeft: null }
  #stop: (() => void) | null = null
  #refreshing: Promise<boolean> | null = null
  #refreshAt = Infinity
  #permissionsVersion: string | null = null

  constructor(times: IdleTimes) {
    this.#times = times
    window.addEventListener('storage', (event) => this.#follow(event))
  }

  /** Arrow functions: React's useSyncExternalStore takes them as they are. */
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
   * Specification section 4: refreshes at app start. A verified person is in at once; one who asked to stay
   * signed in is in after the answer, because the stored token may be long over. Returns what is wrong with a
   * stored token that is none.
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
      if ((await this.#refresh()) || isVerified(this.accessToken, this.now)) this.#login()
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

  /** Signed in: stores the token, fetches permissions, starts the refresh, the idle watch and the keepalive. */
  begin(token: Token, { isRemember }: { isRemember: boolean }): void {
    store.remember(isRemember)
    store.storePermissions(null)
    this.#token = store.storeToken(token)
    this.#login()
  }

  /** Acts in another organization: the rights may differ there. */
  switchOrganization(token: Token): void {
    this.#token = store.storeToken(token)
    store.storePermissions(null)
    this.#login()
  }

  /** Ends the session here, in every tab and on the server; holds even if the server cannot be told. */
  async logout(): Promise<void> {
    const told = this.#sayGoodbye()
    this.#clear()
    // The answer clears cookies: arriving late, it would clear those of the next person to sign in.
    await Promise.race([told, new Promise((done) => setTimeout(done, SIGN_OUT_PATIENCE_MS))])
    this.#tell({ kind: 'ended', isAsked: true })
  }

  /** Over without being asked: a 401 that stays, a refresh refused, the idle time-out. */
  readonly expire = () => {
    if (this.accessToken === '') return
    this.#clear()
    this.#tell({ kind: 'ended', isAsked: false })
  }

  /** A token other than the refused one, by another tab's refresh or our own. */
  readonly renew = async (refused: string): Promise<boolean> => {
    if (this.accessToken === '') return false
    return this.accessToken !== refused || this.#refresh()
  }

  #login(): void {
    this.#refreshAt = refreshDue(this.#token)
    this.#permissionsVersion = null
    store.storeMoment(store.KEYS.activity, Date.now())
    this.#show({
      claims: readClaims(this.accessToken),
      permissions: store.readPermissions(),
      secondsLeft: null,
    })
    void this.#fetchPermissions()
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
    const idle = idleState(store.readMoment(store.KEYS.activity), now, this.#times)
    if (idle.kind === 'over') return this.#timeOut()
    const secondsLeft = idle.kind === 'warning' ? idle.secondsLeft : null
    if (secondsLeft !== this.#view.secondsLeft) this.#show({ ...this.#view, secondsLeft })
    if (now >= this.#refreshAt) void this.#refresh()
    if (idle.kind === 'active' && now - store.readMoment(store.KEYS.ping) >= KEEP_ALIVE_SECONDS * 1000) {
      void this.#keepAlive(now)
    }
  }

  #act(): void {
    // After a sleep the hand on the mouse may come before the next tick: too late is too late.
    const last = store.readMoment(store.KEYS.activity)
    if (idleState(last, Date.now(), this.#times).kind === 'over') return this.#timeOut()
    store.storeMoment(store.KEYS.activity, Date.now())
    if (this.#view.secondsLeft !== null) this.#tick()
  }

  #timeOut(): void {
    void this.#sayGoodbye()
    this.expire()
  }

  /** With the token at hand: by the time the answer comes it is gone from here. */
  async #sayGoodbye(): Promise<void> {
    const bearer = this.accessToken
    const { signOut } = await loadCalls()
    await call(signOut, {}, { bearer }).catch(() => null)
  }

  async #keepAlive(now: number): Promise<void> {
    store.storeMoment(store.KEYS.ping, now)
    const idleMs = Math.max(0, now - store.readMoment(store.KEYS.activity))
    const { keepAlive } = await loadCalls()
    const state = await call(keepAlive, { idleMs }).catch(() => null)
    if (!state) return
    const isChanged =
      this.#permissionsVersion !== null && this.#permissionsVersion !== state.permissionsVersion
    this.#permissionsVersion = state.permissionsVersion
    if (isChanged) await this.#fetchPermissions()
  }

  async #fetchPermissions(): Promise<void> {
    const bearer = this.accessToken
    const { authFunc } = await loadCalls()
    const permissions = await call(authFunc, {}).catch(() => null)
    // An answer for the organization before the switch must not stand.
    if (!permissions || this.accessToken === '' || this.#isOther(bearer)) return
    store.storePermissions(permissions)
    this.#show({ ...this.#view, permissions })
  }

  /** One refresh at a time over all tabs; whoever comes second takes the first one's token. */
  #refresh(): Promise<boolean> {
    const run = () => this.#exchange().finally(() => (this.#refreshing = null))
    // Without Web Locks (plain http on another host) the server's 30 s grace hands both tabs the same successor.
    this.#refreshing ??= 'locks' in navigator ? navigator.locks.request('forecourt-refresh', run) : run()
    return this.#refreshing
  }

  async #exchange(): Promise<boolean> {
    const stored = store.readToken()
    if (stored.accessToken !== '' && stored.accessToken !== this.accessToken) return this.#take(stored)
    if (!isAuthenticated(this.accessToken, this.now) && !store.isRemembered()) {
      this.expire()
      return false
    }
    this.#refreshAt = Date.now() + REFRESH_RETRY_MS
    try {
      const { refreshToken } = await loadCalls()
      const token = await call(refreshToken, { token: this.accessToken })
      return this.#take(store.storeToken(token))
    } catch (failure) {
      const isRefused = failure instanceof CallFailure && failure.status >= 400 && failure.status < 500
      if (isRefused && failure.status !== 429) this.expire()
      return false
    }
  }

  #take(token: store.HeldToken): boolean {
    this.#token = token
    this.#refreshAt = refreshDue(token)
    if (this.#view.claims) this.#show({ ...this.#view, claims: readClaims(token.accessToken) })
    return true
  }

  /** What another tab did. */
  #follow(event: StorageEvent): void {
    if (event.key === store.KEYS.activity && this.#view.secondsLeft !== null) return this.#tick()
    if (event.key === store.KEYS.permissions && this.#view.claims) {
      const permissions = store.readPermissions()
      return permissions ? this.#show({ ...this.#view, permissions }) : undefined
    }
    if (event.key !== store.KEYS.token && event.key !== null) return
    const stored = store.readToken()
    if (stored.accessToken === '') return this.expire()
    const isBegun = this.accessToken === ''
    const isSwitched = !isBegun && this.#isOther(stored.accessToken)
    this.#token = stored
    if (isBegun || isSwitched) {
      this.#login()
      return this.#tell({ kind: isBegun ? 'begun' : 'switched' })
    }
    this.#take(stored)
  }

  #isOther(accessToken: string): boolean {
    const [ours, theirs] = [readClaims(this.accessToken), readClaims(accessToken)]
    return (
      ours.organizationId !== theirs.organizationId || ours.impersonateUserId !== theirs.impersonateUserId
    )
  }

  #clear(): void {
    this.#stop?.()
    this.#stop = null
    this.#refreshAt = Infinity
    this.#token = store.NO_TOKEN
    store.clearStorage()
    this.#show({ claims: null, permissions: null, secondsLeft: null })
  }

  #show(view: SessionView): void {
    this.#view = view
    for (const viewer of this.#viewers) viewer()
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
